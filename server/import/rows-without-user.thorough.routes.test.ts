import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkImport, correctRows, listRefusedRows, startImport } from '#contract/import/import-jobs.calls.ts';
import type { AssignmentChoice } from '#contract/leads/sharing/assignment.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import {
  checkFile,
  findLeadsNamed,
  startAndWait,
  unique,
  uploadImport,
  waitForImport,
} from '#server/testing/import.ts';
import { createTerritories } from '#server/testing/territories.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let grace: TestUser;
let marcus: TestUser;
let olivia: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ grace, marcus, olivia } = await createTerritories(t));
});

const byTerritory = (): AssignmentChoice => ({ way: 'territory', fallbackUserId: olivia.id });
const HEADER = 'Business Name,Address,User';

/** Checks a file with a choice for the rows that name no user. */
async function checkWith(file: string, withoutUser: AssignmentChoice) {
  const { body: draft } = await uploadImport(t, admin, file);
  const params = { id: draft.id };
  await t.request(admin, checkImport, { params, body: { withoutUser } });
  return waitForImport(t, admin, draft.id);
}

const countByHolder = async (name: string) => {
  const counts: Record<string, number> = {};
  for (const { holder } of await findLeadsNamed(t, name)) counts[holder] = (counts[holder] ?? 0) + 1;
  return counts;
};

test('without a choice, they go to the administrator who imports', async () => {
  const name = unique('Default');
  const checked = await checkFile(t, admin, `${HEADER}\n${name},LS1 4AP,\n${name} Two,WF1 1AA,${marcus.username}\n`);
  expect(checked.preview?.withoutUser).toEqual({ rows: 1, shares: [] });
  await startAndWait(t, admin, checked.id);
  expect(await countByHolder(name)).toEqual({ [admin.username]: 1, [marcus.username]: 1 });
});

describe.each([
  ['territory', 'Bakery'],
  ['load', 'Plumbing'],
  ['goal', 'Opticians'],
] as const)('by %s', (way, trade) => {
  test('the numbers of the dry run are those of the import', async () => {
    const name = unique(trade); // alike ones at the same address would be one business
    const postcodes = ['LS1 4AP', 'WF1 1AA', 'YO1 7HH', ''];
    const rows = Array.from({ length: 1_200 }, (_, nth) => {
      const business = nth % 10 === 9 ? nth - 5 : nth; // every tenth is a business of a row before
      const user = nth % 7 === 0 ? marcus.username : '';
      return `${name} ${business},"${business} High St, ${postcodes[business % 4]}",${user}`;
    });
    await t.lead(grace);
    const choice: AssignmentChoice =
      way === 'territory' ? byTerritory() : { way, userIds: [grace.id, marcus.id, olivia.id] };
    const checked = await checkWith(`${HEADER}\n${rows.join('\n')}\n`, choice);
    const { withoutUser, newLeads, alreadyThere, repeated } = checked.preview ?? {};
    expect(checked.choices.withoutUser).toEqual(choice);
    // What changes until the start does not change what was shown.
    await Promise.all(Array.from({ length: 3 }, () => t.lead(olivia)));
    await t.db.delete(territoryDistricts);

    const done = await startAndWait(t, admin, checked.id);
    expect(done.counts).toMatchObject({ total: 1_200, failed: 0, created: newLeads, alreadyThere, repeated });
    const holders = await countByHolder(name);
    expect(Object.values(holders).reduce((sum, count) => sum + count, 0)).toBe(newLeads);
    const share = (user: TestUser) => withoutUser?.shares.find(({ userId }) => userId === user.id)?.count ?? 0;
    expect([holders[grace.username] ?? 0, holders[olivia.username] ?? 0]).toEqual([share(grace), share(olivia)]);
    const shared = withoutUser?.shares.reduce((sum, { count, held }) => sum + count + held, 0);
    expect(shared).toBe(withoutUser?.rows);
    expect(holders[admin.username]).toBeUndefined();
  });
});

test('a row whose business one of the owners holds adds no second lead', async () => {
  const name = unique('Held');
  const file = `${HEADER}\n${name},"1 High St, WF1 1AA",${marcus.username}\n`;
  await startAndWait(t, admin, (await checkFile(t, admin, file)).id);
  const checked = await checkWith(`${HEADER}\n${name},"1 High St, WF1 1AA",\n`, byTerritory());
  expect(checked.preview).toMatchObject({ newLeads: 0, alreadyThere: 1 });
  expect(checked.preview?.withoutUser?.shares).toMatchObject([{ userId: marcus.id, count: 0, held: 1 }]);
});

test('a user who was deactivated since the check refuses the start, until the file is checked again', async () => {
  const name = unique('Gone');
  const checked = await checkWith(`${HEADER}\n${name},"1 High St, LS1 4AP",\n`, byTerritory());
  await t.request(admin, setUserActive, { params: { id: grace.id }, body: { active: false } });
  const params = { id: checked.id };
  expect(await t.request(admin, startImport, { params })).toMatchObject({
    status: 400,
    body: { code: 'invalid_target' },
  });
  await t.request(admin, checkImport, { params, body: { withoutUser: byTerritory() } });
  await waitForImport(t, admin, checked.id);
  await startAndWait(t, admin, checked.id);
  expect(await countByHolder(name)).toEqual({ [olivia.username]: 1 });
});

test('a corrected row without a user follows the choice, too', async () => {
  const name = unique('Corrected');
  const checked = await checkWith(`${HEADER}\n${name},"1 High St, LS1 4AP",\n,"2 High St, LS1 4AP",\n`, byTerritory());
  const { id } = await startAndWait(t, admin, checked.id);
  const params = { id };
  const refused = (await t.request(admin, listRefusedRows, { params })).body.rows;
  const rows = refused.map(({ row, cells }) => ({ row, cells: cells.with(0, `${name} Two`) }));
  expect((await t.request(admin, correctRows, { params, body: { rows } })).body).toMatchObject({ imported: 1 });
  expect(await countByHolder(name)).toEqual({ [grace.username]: 2 });
});

test('a choice with an inactive user, or none, is refused and writes nothing', async () => {
  const before = await t.db.$count(leads);
  await t.request(admin, setUserActive, { params: { id: olivia.id }, body: { active: false } });
  const checked = await checkWith(`${HEADER}\n${unique('Refused')},LS1 4AP,\n`, byTerritory());
  expect(checked).toMatchObject({ state: 'stopped', message: 'A chosen user does not exist or is inactive' });
  const params = { id: checked.id };
  const body = { withoutUser: { way: 'load', userIds: [] } } as never;
  expect((await t.request(admin, checkImport, { params, body })).status).toBe(400);
  expect(await t.db.$count(leads)).toBe(before);
});
