import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPath } from '#contract/call.ts';
import { BATCH_HEADER, getChangeBatch, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import { DETAIL_FIELDS, DETAIL_KEYS, type DetailKey } from '#contract/leads/fields/detail-fields.ts';
import type { DetailField } from '#contract/leads/fields/lead-field.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { changeCustomFields, getLead } from '#contract/leads/leads.calls.ts';
import { findLeadsNamed, importFile } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** Two values of each detail. */
const SAMPLES: Record<DetailKey, [string, string]> = {
  email: ['ada@bluedoor.example', 'bea@bluedoor.example'],
  contactPerson: ['Ada Baker', 'Bea Baker'],
  value: ['1500', '2000'],
};
const TEAM = { timeZone: 'Europe/London', currency: 'GBP' };

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ env: { TIME_ZONE: TEAM.timeZone } });
  admin = await t.user('admin');
  holder = await t.user();
});
afterAll(() => t.close());

const change = (id: number, customFields: object, viewer = holder) =>
  t.request(viewer, changeCustomFields.byId, { params: { id }, body: { customFields } });
const read = async (id: number) => (await t.request(admin, getLead.byId, { params: { id } })).body.userBusiness;

describe.each(DETAIL_KEYS)('%s', (key) => {
  const [first, second] = SAMPLES[key];
  const { label, mergeLabel, format, imported, exported }: DetailField = DETAIL_FIELDS[key];

  test('is changed by the holder, logged with its label, and undone', async () => {
    const lead = await t.lead(holder, { customFields: { [key]: first } });
    const changed = await change(lead.id, { [key]: second });
    expect(changed).toMatchObject({ status: 200, body: { customFields: { [key]: second } } });
    const params = { batchId: String(changed.headers[BATCH_HEADER]) };
    const batch = await t.request(holder, getChangeBatch, { params });
    expect(JSON.stringify(batch.body)).toContain(
      JSON.stringify({ field: key, before: format(first, TEAM), after: format(second, TEAM) }),
    );
    expect(label).not.toBe('');

    expect((await t.request(holder, undoChanges, { params })).body).toMatchObject({ takenBack: 1, left: [] });
    expect((await read(lead.id)).customFields).toEqual({ [key]: first });
  });

  test('is cleared by an empty text, and undoing fills it again', async () => {
    const lead = await t.lead(holder, { customFields: { [key]: first } });
    const cleared = await change(lead.id, { [key]: '' });
    expect(cleared.body.customFields).toEqual({});
    await t.request(holder, undoChanges, { params: { batchId: String(cleared.headers[BATCH_HEADER]) } });
    expect((await read(lead.id)).customFields).toEqual({ [key]: first });
  });

  test('is refused to users who may not change the lead', async () => {
    const lead = await t.lead(holder);
    expect((await change(lead.id, { [key]: first }, await t.user())).status).toBe(403);
    expect((await read(lead.id)).customFields).toEqual({});
  });

  test('is kept by a merge, which writes a second value to the notes', async () => {
    const kept = await t.lead(holder, { customFields: { [key]: first } });
    const other = await t.lead(holder, { customFields: { [key]: second } });
    const businessIds = [kept.business.id, other.business.id];
    const body = { keptId: kept.business.id, businessIds, fields: {} };
    expect((await t.request(admin, mergeBusinesses, { body })).status).toBe(200);
    expect(await read(kept.id)).toMatchObject({
      customFields: { [key]: first },
      notes: expect.stringContaining(`${mergeLabel}: ${format(second, TEAM)}`),
    });
  });

  test('is taken over by a merge where the kept lead has none', async () => {
    const kept = await t.lead(holder);
    const other = await t.lead(holder, { customFields: { [key]: second } });
    const businessIds = [kept.business.id, other.business.id];
    await t.request(admin, mergeBusinesses, { body: { keptId: kept.business.id, businessIds, fields: {} } });
    expect((await read(kept.id)).customFields).toEqual({ [key]: second });
  });

  test('is imported from its column and exported to it', async () => {
    const name = `Blue Door ${key}`;
    const file = `Business Name,${imported.column}\n${name},${first}\n`;
    expect((await importFile(t, admin, file)).body.importResults).toMatchObject({ successful: 1 });
    expect((await findLeadsNamed(t, name)).map(({ lead }) => lead.customFields)).toEqual([{ [key]: first }]);

    const url = buildPath(exportLeads, { query: { q: name } });
    const [titles = '', row = ''] = (await t.inject({ url, headers: { cookie: admin.cookie } })).body.split('\r\n');
    const at = titles.split(',').indexOf(`"${exported}"`);
    expect(row.split('","')[at]?.replaceAll('"', '')).toBe(first);
  });
});
