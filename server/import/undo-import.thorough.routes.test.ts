import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { findLeadsNamed, importFile, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const undo = (imported: { headers: Record<string, unknown> }, viewer = admin) =>
  t.request(viewer, undoChanges, { params: { batchId: String(imported.headers[BATCH_HEADER]) } });
const countLeads = async (viewer: TestUser) => (await t.request(viewer, listLeads)).body.total;

test('an import of 5,000 rows is one batch, and is taken back as a whole', async () => {
  const owner = await t.user();
  const name = unique('Row');
  const rows = Array.from({ length: 5_000 }, (_, n) => `${name} ${n},${owner.username}`);
  const imported = await importFile(t, admin, `Business Name,User\n${rows.join('\n')}\n`);
  expect(await countLeads(owner)).toBe(5_000);
  const { items } = (await t.request(admin, listChanges, { query: { kind: 'import' } })).body;
  expect(items[0]).toMatchObject({ id: imported.headers[BATCH_HEADER], count: 5_000, source: 'import' });

  const { status, body } = await undo(imported);
  expect({ status, body }).toMatchObject({ status: 200, body: { takenBack: 5_000, deleted: 5_000, left: [] } });
  expect(await countLeads(owner)).toBe(0);
  // The holder did not read that they had these businesses.
  expect((await t.request(owner, listNotifications)).body.items).toEqual([]);
  expect(await undo(imported)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });

  const again = await importFile(t, admin, `Business Name,User\n${rows.slice(0, 3).join('\n')}\n`);
  expect(again.body.importResults.successful).toBe(3);
  expect(await countLeads(owner)).toBe(3);
});

test('leads that were worked on since are kept and named', async () => {
  const owner = await t.user();
  const names = ['Status', 'Note', 'Activity', 'Reassigned', 'Viewed only', 'Untouched'].map(unique);
  const imported = await importFile(
    t,
    admin,
    `Business Name,User\n${names.map((name) => `${name},${owner.username}`).join('\n')}\n`,
  );
  const ids = await Promise.all(names.map(async (name) => (await findLeadsNamed(t, name))[0]?.lead.id ?? 0));
  const [status = 0, note = 0, activity = 0, reassigned = 0, viewed = 0] = ids;
  const byId = (id: number) => ({ params: { id } });
  await t.request(owner, calls.changeLeadStatus.byId, { ...byId(status), body: { status: 'qualified' } });
  await t.request(owner, calls.changeLeadNotes.byId, { ...byId(note), body: { notes: 'Ring' } });
  await t.request(owner, calls.addActivity.byId, { ...byId(activity), body: { type: 'call', notes: 'Rang' } });
  const target = await t.user();
  await t.request(owner, calls.reassignLead.byId, { ...byId(reassigned), body: { newUserId: target.id } });
  await t.request(owner, calls.markViewedInList.byId, byId(viewed));

  const { body } = await undo(imported);
  expect(body).toMatchObject({ takenBack: 2, deleted: 2, left: [{ reason: 'touched', count: 4 }] });
  expect([...(body.left[0]?.names ?? [])].sort()).toEqual(names.slice(0, 4).sort());
  expect(await countLeads(owner)).toBe(3);
});

test('businesses that the import changed are as before, unless they were changed since', async () => {
  const [corrected, untouched] = [unique('Corrected'), unique('Untouched')];
  const file = (phone: string, town: string) => {
    const row = (name: string) => `${name},"1 High St, Leeds, York",${town},${phone},a.example.org`;
    return `Business Name,Address,Town,Phone,Website\n${row(corrected)}\n${row(untouched)}\n`;
  };
  await importFile(t, admin, file('0113 496 0000', 'Leeds'));
  const second = await importFile(t, admin, file('0113 496 0001', 'York'));
  expect(second.body.alreadyThere).toBe(2);
  const find = async (name: string) => {
    const [business] = await t.db.select().from(businesses).where(eq(businesses.name, name));
    return business;
  };
  const businessId = (await find(corrected))?.id ?? 0;
  await t.request(admin, calls.changePhone, { params: { businessId }, body: { phone: '0113 496 0002' } });

  const { body } = await undo(second);
  expect(body).toMatchObject({ takenBack: 2, left: [{ reason: 'changed', count: 1, names: [corrected] }] });
  expect(await find(corrected)).toMatchObject({ phone: '0113 496 0002', phoneTyped: true, town: 'Leeds' });
  expect(await find(untouched)).toMatchObject({ phone: '0113 496 0000', phoneTyped: false, town: 'Leeds' });
});

test('an import without a new row or value is no batch', async () => {
  const name = unique('Same');
  await importFile(t, admin, `Business Name\n${name}\n`);
  const again = await importFile(t, admin, `Business Name\n${name}\n`);
  expect(again.body.importResults.successful).toBe(1);
  expect(again.headers[BATCH_HEADER]).toBeUndefined();
});
