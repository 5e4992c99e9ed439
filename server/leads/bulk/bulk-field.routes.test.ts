import { randomUUID } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { bulkSetField } from '#contract/leads/bulk/bulk.calls.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import type { OwnValues } from '#contract/leads/own-fields/own-field.ts';
import * as fieldCalls from '#contract/leads/own-fields/own-fields.calls.ts';
import { STEP_ITEMS } from '#server/jobs/jobs.sql.ts';
import { jobs } from '#server/schema/jobs.ts';
import { leads } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
const ids = {} as Record<FieldTypeKey, number>;
beforeAll(async () => {
  t = await testApp();
  [admin, holder] = [await t.user('admin'), await t.user()];
  await t.db.delete(ownFields);
  for (const type of FIELD_TYPE_KEYS) {
    const choices = FIELD_TYPES[type].setting === 'choices' ? [{ label: 'A' }, { label: 'B' }, { label: 'C' }] : [];
    const { body } = await t.request(admin, fieldCalls.createOwnField, {
      body: { name: `Our ${type}`, type, choices },
    });
    ids[type] = body.id;
  }
});
afterAll(() => t.close());

const set = (viewer: TestUser, body: { ids: number[]; fieldId: number; value: OwnValue | null }) =>
  t.request(viewer, bulkSetField, { body });
const undo = (viewer: TestUser, batchId: unknown) =>
  t.request(viewer, undoChanges, { params: { batchId: String(batchId) } });
const readValues = async (leadIds: number[]): Promise<OwnValues[]> =>
  (await t.db.select().from(leads).where(inArray(leads.id, leadIds)).orderBy(asc(leads.id))).map(
    ({ ownFields }) => ownFields,
  );
const archive = (fieldId: number) => t.request(admin, fieldCalls.archiveOwnField, { params: { fieldId } });
const restore = (fieldId: number) => t.request(admin, fieldCalls.restoreOwnField, { params: { fieldId } });

/** What is sent, and what is stored. A type without an entry does not compile. */
const VALUES: Record<FieldTypeKey, [sent: OwnValue, stored: OwnValue]> = {
  text: [' north ', 'north'],
  long_text: ['one\r\ntwo', 'one\ntwo'],
  number: [1_500, 1_500],
  money: [99.5, 99.5],
  date: ['2026-03-31', '2026-03-31'],
  yes_no: [false, false],
  choice: ['2', '2'],
  choices: [
    ['3', '1'],
    ['1', '3'],
  ],
  link: ['https://example.com/', 'https://example.com/'],
};

test.each(FIELD_TYPE_KEYS)('%s is set on many leads, cleared again, and each is undone as one', async (type) => {
  const fieldId = ids[type];
  const [sent, stored] = VALUES[type];
  const before = [{}, { [fieldId]: stored }, { [ids.number]: 7 }];
  const all: number[] = [];
  for (const values of before) all.push((await t.lead(holder, { ownFields: values })).id);
  const kept = type === 'number' ? {} : { [ids.number]: 7 };

  const done = await set(holder, { ids: all, fieldId, value: sent });
  expect(done.body.results).toEqual({ success: 3, failed: 0, errors: [] });
  expect(await readValues(all)).toEqual([{ [fieldId]: stored }, { [fieldId]: stored }, { ...kept, [fieldId]: stored }]);
  const { items } = (await t.request(holder, listChanges, {})).body;
  expect(items[0]).toMatchObject({ kind: 'details', source: 'bulk', count: 2 });

  const cleared = await set(holder, { ids: all, fieldId, value: null });
  expect(await readValues(all)).toEqual([{}, {}, kept]);
  await undo(holder, cleared.headers[BATCH_HEADER]);
  await undo(holder, done.headers[BATCH_HEADER]);
  expect(await readValues(all)).toEqual(before);
});

test('a value that the field does not take, an archived field and one that is gone are refused, and nothing is changed', async () => {
  const { id } = await t.lead(holder);
  const message = 'Our number must be a number such as 1500';
  expect(await set(holder, { ids: [id], fieldId: ids.number, value: 'many' })).toMatchObject({
    status: 400,
    body: { message, errors: [{ path: 'value', message }] },
  });
  expect((await set(holder, { ids: [id], fieldId: 999_999, value: 1 })).status).toBe(404);
  await archive(ids.number);
  expect(await set(holder, { ids: [id], fieldId: ids.number, value: 1 })).toMatchObject({
    status: 409,
    body: { code: 'field_archived' },
  });
  await restore(ids.number);
  expect(await readValues([id])).toEqual([{}]);
});

test("others' leads are refused, one by one", async () => {
  const [own, theirs] = [await t.lead(holder), await t.lead(await t.user())];
  const { body } = await set(holder, { ids: [own.id, theirs.id], fieldId: ids.number, value: 1 });
  expect(body.results).toMatchObject({ success: 1, failed: 1, errors: [{ id: theirs.id }] });
  expect(await readValues([own.id, theirs.id])).toEqual([{ [ids.number]: 1 }, {}]);
  expect((await set(await t.user('manager'), { ids: [own.id], fieldId: ids.number, value: 2 })).status).toBe(403);
});

test('a value that another person has changed since is not undone', async () => {
  const { id } = await t.lead(holder);
  const done = await set(holder, { ids: [id], fieldId: ids.number, value: 1 });
  await t.request(admin, changeOwnValues.byId, { params: { id }, body: { values: { [ids.number]: 2 } } });
  expect((await undo(holder, done.headers[BATCH_HEADER])).body.code).toBe('not_undoable');
  expect(await readValues([id])).toEqual([{ [ids.number]: 2 }]);
});

test('all leads of a filter by the field are changed in steps, as one batch', async () => {
  const user = await t.user();
  const many = await insertManyLeads(t.db, user.id, STEP_ITEMS + 20);
  const { id: other } = await t.lead(user, { ownFields: { [ids.choice]: '1' } });
  const own = `[[${ids.choice},"empty"]]`;
  const action = { verb: 'set-field' as const, fieldId: ids.choice, value: '2' };
  const body = { filter: { own }, count: many.length, action };
  expect((await t.request(user, startBulkJob, { body: body as never })).body).toMatchObject({
    ...{ verb: 'set-field', total: many.length },
  });
  await t.app.jobs.run();
  const { job } = (await t.request(user, getLatestBulkJob)).body;
  expect(job).toMatchObject({ state: 'done', success: many.length, failed: 0 });
  expect(new Set((await readValues(many)).map((values) => values[ids.choice]))).toEqual(new Set(['2']));
  expect(await readValues([other])).toEqual([{ [ids.choice]: '1' }]);
  expect((await undo(user, job?.batchId)).body).toMatchObject({ takenBack: many.length });
  expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(many.length + 1);
  expect(new Set((await readValues(many)).map((values) => values[ids.choice]))).toEqual(new Set([undefined]));
});

test('a field that is archived while a job waits ends it, and says why', async () => {
  const user = await t.user();
  const many = await insertManyLeads(t.db, user.id, 3);
  const id = randomUUID();
  const input = { verb: 'set-field', fieldId: ids.text, value: 'x' };
  await archive(ids.text);
  // As a process that has ended left it.
  await t.db.insert(jobs).values({ id, kind: 'bulk', userId: user.id, itemIds: many, total: many.length, input });
  await t.app.jobs.run();
  const { job } = (await t.request(user, getLatestBulkJob)).body;
  expect(job).toMatchObject({ state: 'stopped', done: 0, message: expect.stringContaining('was archived') });
  expect(await readValues(many)).toEqual([{}, {}, {}]);
  await restore(ids.text);
});
