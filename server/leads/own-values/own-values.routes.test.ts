import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPath } from '#contract/call.ts';
import { BATCH_HEADER, getChangeBatch, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { correctRows, mapImport } from '#contract/import/import-jobs.calls.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { bulkUpdateStatus } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, changeOwnValues, getLead } from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { formatValue, joinsBoth, joinValue, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import * as fieldCalls from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { checkFile, findLeadsNamed, importFile, startAndWait, uploadImport } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** Two values of each type. A type without samples does not compile. */
const SAMPLES: Record<FieldTypeKey, [OwnValue, OwnValue]> = {
  text: ['Böhm; "Söhne"', '=1+1'],
  long_text: ['Line 1\nLine 2', 'x'.repeat(2_000)],
  number: [0, -12.345],
  money: [49.5, 9_999_999_999],
  date: ['2026-03-31', '1900-01-01'],
  yes_no: [true, false],
  choice: ['1', '3'],
  choices: [['1', '3'], ['2']],
  link: ['https://example.com/a?b=c', 'http://example.org'],
};
const TEAM = { timeZone: 'Europe/London', currency: 'GBP' };

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
const fields = {} as Record<FieldTypeKey, OwnField>;
beforeAll(async () => {
  t = await testApp({ env: { TIME_ZONE: TEAM.timeZone }, ownDatabase: true });
  [admin, holder] = [await t.user('admin'), await t.user()];
  for (const type of FIELD_TYPE_KEYS) {
    const choices = FIELD_TYPES[type].setting === 'choices' ? ['Acme', 'Böhm, Ltd', 'None'] : [];
    const body = { name: `A ${type}`, type, choices: choices.map((label) => ({ label })) };
    fields[type] = (await t.request(admin, fieldCalls.createOwnField, { body })).body;
  }
});
afterAll(() => t.close());

type Values = Record<string, OwnValue | null>;
const change = (id: number, values: Values, before?: Values, viewer = holder) =>
  t.request(viewer, changeOwnValues.byId, { params: { id }, body: { values, ...(before && { before }) } });
const read = async (id: number) => (await t.request(admin, getLead.byId, { params: { id } })).body.userBusiness;
const batchOf = (response: { headers: Record<string, unknown> }) => ({
  params: { batchId: String(response.headers[BATCH_HEADER]) },
});

describe.each(FIELD_TYPE_KEYS)('%s', (type) => {
  const [first, second] = SAMPLES[type];

  test('is set by the holder, logged by its name, undone, and undone again', async () => {
    const field = fields[type];
    const lead = await t.lead(holder, { ownFields: { [field.id]: first, 999: 'of a deleted field' } });
    const changed = await change(lead.id, { [field.id]: second });
    expect(changed).toMatchObject({ status: 200, body: { ownFields: { [field.id]: second } } });
    const shown = {
      ...{ field: 'ownField', name: field.name },
      ...{ before: formatValue(field, first, TEAM), after: formatValue(field, second, TEAM) },
    };
    const batch = await t.request(holder, getChangeBatch, batchOf(changed));
    expect(batch.body.changes.map((each) => each.change)).toEqual([shown]);
    const { items } = (await t.request(holder, getTimeline.byId, { params: { id: lead.id } })).body;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'change', change: shown }));

    const undone = await t.request(holder, undoChanges, batchOf(changed));
    expect(undone.body).toMatchObject({ takenBack: 1, left: [] });
    expect((await read(lead.id)).ownFields).toEqual({ [field.id]: first, 999: 'of a deleted field' });
    await t.request(holder, undoChanges, batchOf(undone));
    expect((await read(lead.id)).ownFields[field.id]).toEqual(second);
  });

  test('is cleared, and undoing sets it again', async () => {
    const { id } = fields[type];
    const lead = await t.lead(holder, { ownFields: { [id]: first } });
    const cleared = await change(lead.id, { [id]: null });
    expect(cleared.body.ownFields).toEqual({});
    await t.request(holder, undoChanges, batchOf(cleared));
    expect((await read(lead.id)).ownFields).toEqual({ [id]: first });
  });

  test('comes back equal from a merge that is undone; the merge keeps it and notes the other', async () => {
    const field = fields[type];
    const kept = await t.lead(holder, { ownFields: { [field.id]: first } });
    const other = await t.lead(holder, { ownFields: { [field.id]: second } });
    const businessIds = [kept.business.id, other.business.id];
    const body = { keptId: kept.business.id, businessIds, fields: {} };
    expect((await t.request(admin, mergeBusinesses, { body })).status).toBe(200);
    const merged = await read(kept.id);
    expect(merged.ownFields).toEqual({ [field.id]: joinValue(field, first, second) });
    const noted = `${field.name}: ${formatValue(field, second, TEAM)}`;
    expect(merged.notes.includes(noted)).toBe(!joinsBoth(field));

    const { items } = (await t.request(admin, listChanges, { query: { kind: 'merge' } })).body;
    const undone = await t.request(admin, undoMerge, { params: { id: items[0]?.id ?? '' } });
    expect(undone.status).toBe(200);
    expect((await read(kept.id)).ownFields).toEqual({ [field.id]: first });
    expect((await read(other.id)).ownFields).toEqual({ [field.id]: second });
  });

  test('a value of another type is refused, and nothing is changed', async () => {
    const { id, name } = fields[type];
    const lead = await t.lead(holder, { ownFields: { [id]: first } });
    const wrong = type === 'text' || type === 'long_text' ? 'x'.repeat(2_001) : type === 'yes_no' ? 'perhaps' : true;
    expect(await change(lead.id, { [id]: wrong })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: `values.${id}` }] },
    });
    expect((await read(lead.id)).ownFields).toEqual({ [id]: first });
    expect(name).not.toBe('');
  });
});

test('an export has a column for each field, after the others, as texts that people edit', async () => {
  const name = 'Exported shop';
  const own = Object.fromEntries(FIELD_TYPE_KEYS.map((type) => [fields[type].id, SAMPLES[type][1]]));
  await t.lead(holder, { ownFields: own }, { name });
  const { body: old } = await t.request(admin, fieldCalls.createOwnField, { body: { name: 'Unused', type: 'text' } });
  await t.request(admin, fieldCalls.archiveOwnField, { params: { fieldId: old.id } });
  const url = buildPath(exportLeads, { query: { q: name } });
  const [titles = '', row = ''] = (await t.inject({ url, headers: { cookie: admin.cookie } })).body.split('\r\n');
  expect(titles.split('","').slice(-FIELD_TYPE_KEYS.length).join('","')).toBe(
    `${FIELD_TYPE_KEYS.map((type) => fields[type].name).join('","')}"`,
  );
  expect(row.endsWith('"1900-01-01","No","None","Böhm, Ltd","http://example.org"')).toBe(true);
});

test('an export is imported again with equal values, by its headings', async () => {
  for (const nth of [0, 1]) {
    const name = `Round trip ${nth}`;
    const own = Object.fromEntries(FIELD_TYPE_KEYS.map((type) => [fields[type].id, SAMPLES[type][nth as 0 | 1]]));
    await t.lead(holder, { ownFields: own }, { name });
    const url = buildPath(exportLeads, { query: { q: name } });
    const file = (await t.inject({ url, headers: { cookie: admin.cookie } })).body.replaceAll(name, `${name} again`);
    expect((await importFile(t, admin, file)).body.importResults).toMatchObject({ successful: 1 });
    const [imported] = await findLeadsNamed(t, `${name} again`);
    expect(imported?.lead.ownFields).toEqual(own);
  }
});

test('columns are matched by name, and a row with a bad value is refused with its cell and corrected', async () => {
  const { id, name } = fields.choice;
  const file = `Company,Who,${name.toUpperCase()}\nMapped shop,${holder.username},Acme\nWrong shop,,Umbrella\n`;
  const draft = await uploadImport(t, admin, file);
  expect(draft.body.columns.map(({ target }) => target)).toEqual(['Business Name', 'Contact Name', `Field ${id}`]);
  const checked = await checkFile(t, admin, file);
  const reason = `${name} must be one of: Acme, Böhm, Ltd, None ("Umbrella")`;
  expect(checked.preview?.refusedRows).toMatchObject([{ row: 3, reason, wrong: [2] }]);
  const done = await startAndWait(t, admin, checked.id);
  expect(done.counts).toMatchObject({ successful: 1, failed: 1 });
  expect((await findLeadsNamed(t, 'Mapped shop')).map(({ lead }) => lead.ownFields)).toEqual([{ [id]: '1' }]);
  const body = { rows: [{ row: 3, cells: ['Wrong shop', '', 'böhm, ltd'] }] };
  expect((await t.request(admin, correctRows, { params: { id: done.id }, body })).body).toMatchObject({ imported: 1 });
  expect((await findLeadsNamed(t, 'Wrong shop')).map(({ lead }) => lead.ownFields)).toEqual([{ [id]: '2' }]);
});

test('a field that is archived is no column of a file, and a file cannot be matched to it', async () => {
  const { body: field } = await t.request(admin, fieldCalls.createOwnField, { body: { name: 'Later', type: 'text' } });
  const file = 'Company,Later\nLater shop,typed\n';
  const { body: draft } = await uploadImport(t, admin, file);
  await t.request(admin, fieldCalls.archiveOwnField, { params: { fieldId: field.id } });
  const mapping = { sheet: null, headerRow: 1, targets: draft.columns.map(({ target }) => target) };
  const refused = await t.request(admin, mapImport, { params: { id: draft.id }, body: mapping });
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect((await uploadImport(t, admin, file)).body.columns[1]?.target).toBe('Ignore');
});

test('several fields are one change', async () => {
  const [text, number] = [fields.text.id, fields.number.id];
  const lead = await t.lead(holder);
  const changed = await change(lead.id, { [text]: 'A', [number]: 2 });
  expect(changed.body.ownFields).toEqual({ [text]: 'A', [number]: 2 });
  const batch = await t.request(holder, getChangeBatch, batchOf(changed));
  expect(batch.body.changes).toHaveLength(2);
});

test('what others changed meanwhile is not replaced unseen', async () => {
  const { id } = fields.text;
  const lead = await t.lead(holder, { ownFields: { [id]: 'seen' } });
  expect((await change(lead.id, { [id]: 'theirs' }, { [id]: 'seen' }, admin)).status).toBe(200);
  expect(await change(lead.id, { [id]: 'mine' }, { [id]: 'seen' })).toMatchObject({
    status: 409,
    body: { code: 'stale_field', current: { [id]: 'theirs' } },
  });
  expect((await read(lead.id)).ownFields).toEqual({ [id]: 'theirs' });
  expect((await change(lead.id, { [id]: 'theirs' }, { [id]: 'seen' })).status, 'the same value').toBe(200);
  expect((await change(lead.id, { [id]: 'mine' }, { [id]: 'theirs' })).status).toBe(200);
  expect((await change(lead.id, { [id]: null }, { [id]: null })).status).toBe(409);
});

test('an undo leaves a value that was changed since', async () => {
  const { id } = fields.text;
  const lead = await t.lead(holder);
  const first = await change(lead.id, { [id]: 'A' });
  await change(lead.id, { [id]: 'B' });
  const undone = await t.request(holder, undoChanges, batchOf(first));
  expect(undone.body).toMatchObject({ code: 'not_undoable', message: expect.stringContaining('1 was changed since') });
  expect((await read(lead.id)).ownFields).toEqual({ [id]: 'B' });
});

test('a field that was archived meanwhile takes no value, and one that is gone neither', async () => {
  const { body: field } = await t.request(admin, fieldCalls.createOwnField, { body: { name: 'Old', type: 'text' } });
  const params = { fieldId: field.id };
  const lead = await t.lead(holder, { ownFields: { [field.id]: 'kept' } });
  await t.request(admin, fieldCalls.archiveOwnField, { params });
  expect(await change(lead.id, { [field.id]: 'late' })).toMatchObject({
    status: 409,
    body: { code: 'field_archived' },
  });
  expect((await read(lead.id)).ownFields).toEqual({ [field.id]: 'kept' });
  await t.request(admin, fieldCalls.deleteOwnField, { params, body: { leads: 1 } });
  await t.app.jobs.run();
  expect((await read(lead.id)).ownFields).toEqual({});
  expect(await change(lead.id, { [field.id]: 'late' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('deleting a field deletes the changes of its values', async () => {
  const { body: field } = await t.request(admin, fieldCalls.createOwnField, { body: { name: 'Gone', type: 'text' } });
  const params = { fieldId: field.id };
  const lead = await t.lead(holder);
  const changed = await change(lead.id, { [field.id]: 'a secret', [fields.text.id]: 'stays' });
  await t.request(admin, fieldCalls.archiveOwnField, { params });
  await t.request(admin, fieldCalls.deleteOwnField, { params, body: { leads: 1 } });
  await t.app.jobs.run();
  const timeline = await t.request(holder, getTimeline.byId, { params: { id: lead.id } });
  expect(JSON.stringify(timeline.body)).not.toContain('a secret');
  expect((await t.request(holder, undoChanges, batchOf(changed))).body).toMatchObject({ takenBack: 1 });
  expect((await read(lead.id)).ownFields).toEqual({});
});

test('a choice is renamed for all leads that have it, and stays readable when it is no longer offered', async () => {
  const choices = [{ label: 'Acme' }, { label: 'Old Ltd' }];
  const created = await t.request(admin, fieldCalls.createOwnField, {
    body: { name: 'Supplier', type: 'choice', choices },
  });
  const { id } = created.body;
  const lead = await t.lead(holder);
  await change(lead.id, { [id]: '2' });
  await t.request(admin, fieldCalls.changeOwnField, {
    params: { fieldId: id },
    body: { choices: [{ id: '1', label: 'Acme' }] },
  });
  expect((await change(lead.id, { [id]: null })).status).toBe(200);
  const { items } = (await t.request(holder, getTimeline.byId, { params: { id: lead.id } })).body;
  expect(items[0]).toMatchObject({ change: { name: 'Supplier', before: 'Old Ltd', after: null } });
});

test('a lead is closed as won only with the fields that are needed for it, one by one and in bulk', async () => {
  const create = async (name: string) =>
    (await t.request(admin, fieldCalls.createOwnField, { body: { name, type: 'date', requiredToWin: true } })).body.id;
  const [signed, ends] = [await create('Signed'), await create('Ends')];
  const values = { [signed]: '2026-11-01', [ends]: '2027-11-01' };
  const [empty, full] = [await t.lead(holder), await t.lead(holder, { ownFields: values })];
  const win = (id: number) =>
    t.request(holder, changeLeadStatus.byId, { params: { id }, body: { status: 'closed_won' } });
  expect(await win(empty.id)).toMatchObject({
    status: 409,
    body: { code: 'field_required', message: '“Signed”, “Ends” are needed to close a lead as won' },
  });
  expect((await read(empty.id)).status).toBe('new');
  await change(empty.id, { [signed]: '2026-11-01' });
  const body = { ids: [empty.id, full.id], status: 'closed_won' as const };
  expect((await t.request(holder, bulkUpdateStatus, { body })).body.results).toEqual({
    ...{ success: 1, failed: 1 },
    errors: [{ id: empty.id, message: '“Ends” is needed to close a lead as won' }],
  });
  expect((await read(full.id)).status).toBe('closed_won');
  expect((await change(full.id, { [ends]: null })).status, 'cleared later').toBe(200);
  expect((await win(full.id)).status, 'won already').toBe(200);
  await t.request(admin, fieldCalls.archiveOwnField, { params: { fieldId: ends } });
  expect((await win(empty.id)).status, 'an archived field is not needed').toBe(200);
});
