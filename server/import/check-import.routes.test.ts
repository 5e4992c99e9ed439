import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import { correctRows, listRefusedRows } from '#contract/import/import-jobs.calls.ts';
import { businesses, leads, leadTags } from '#server/kit/db/schema.ts';
import { checkFile, findLeadsNamed, importFile, startAndWait, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

/** A generator of the same numbers for the same seed, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Each file of tests has the database for itself. */
const countStored = async () => ({
  businesses: await t.db.$count(businesses),
  leads: await t.db.$count(leads),
  tags: await t.db.$count(leadTags),
});

test.each([1, 2, 3, 4])('what a dry run counts is what the import does (file %i)', async (seed) => {
  const random = createRandom(seed);
  const pick = <T>(values: T[]) => values[random(values.length)] as T;
  const users = [await t.user(), await t.user(), await t.user('user', { active: false })];
  const name = unique('Random');
  const tag = unique('Tag');
  const row = () =>
    [
      pick([`${name} ${random(400)}`, `${name} ${random(400)}`.toUpperCase(), '', `${name} ${random(40)}`]),
      pick(['1 High St', '2  high st', '']),
      pick(['', '', 'ask Bob', `0113 496 0${100 + random(900)}`]),
      pick(['', 'no-such-user', ...users.map(({ username }) => username)]),
      pick(['', `${tag} ${random(5)}`]),
    ].join(',');
  const header = 'Business Name,Address,Phone,User,Custom Tag';
  await importFile(t, admin, `${header}\n${Array.from({ length: 150 }, row).join('\n')}\n`);

  const before = await countStored();
  const { id, preview } = await checkFile(t, admin, `${header}\n${Array.from({ length: 1_300 }, row).join('\n')}\n`);
  expect(await countStored()).toEqual(before);
  if (!preview) throw new Error('The file was not checked');
  const { counts } = await startAndWait(t, admin, id);

  const after = await countStored();
  expect({
    newBusinesses: preview.newBusinesses,
    newLeads: preview.newLeads,
    newTags: preview.newTagCount,
    counts: {
      total: preview.rows,
      successful: preview.newLeads + preview.alreadyThere + preview.repeated,
      failed: preview.refused,
      alreadyThere: preview.alreadyThere + preview.repeated,
    },
  }).toEqual({
    newBusinesses: after.businesses - before.businesses,
    newLeads: after.leads - before.leads,
    newTags: after.tags - before.tags,
    counts,
  });
  for (const count of [preview.newLeads, preview.alreadyThere, preview.repeated, preview.refused]) {
    expect(count).toBeGreaterThan(0);
  }
});

test('a file whose quotes are broken far below stops the dry run with the row', async () => {
  const rows = Array.from({ length: 1_000 }, (_, nth) => `Shop ${nth}`);
  const checked = await checkFile(t, admin, `Business Name\n${rows.join('\n')}\n"never closed\n`);
  expect(checked).toMatchObject({
    state: 'stopped',
    preview: null,
    counts: { total: 0 },
    message: 'Row 1002: a quote is opened and never closed.',
  });
});

test('a dry run lists a bounded part of what is wrong', async () => {
  const name = unique('Wrong');
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth},unknown-${nth},${'x'.repeat(2_000)}`);
  const { preview } = await checkFile(t, admin, `Business Name,User,Comment\n${rows.join('\n')}\n`);
  expect(preview).toMatchObject({ rows: 1_200, refused: 1_200, newLeads: 0 });
  expect(preview?.unknownUsers).toHaveLength(1_000);
  expect(JSON.stringify(preview?.refusedRows).length).toBeLessThan(300_000);
});

describe('look-alikes', () => {
  const stored = async () => {
    const name = unique('Harbour Bakery');
    const phone = `01632 96${String(Math.floor(Math.random() * 9_000) + 1_000)}`;
    const lead = await t.lead(await t.user(), {}, { name, town: 'Whitby', phone, formattedAddress: '1 Quay, Whitby' });
    // Another name, thus another business to the import; the same phone, thus one that looks like it.
    const row = (holder = '') => `The ${name} Ltd,"1 The Quay, Whitby",Whitby,${phone},${holder}`;
    return { name, lead, row };
  };
  const HEADER = 'Business Name,Address,Town,Phone,User';

  test('get their leads on the existing business, which is not changed', async () => {
    const { name, lead, row } = await stored();
    const holder = await t.user();
    const other = unique('Lonely');
    const file = `${HEADER}\n${row(holder.username)}\n${row()}\n${row()}\n${other},,,,\n`;
    const checked = await checkFile(t, admin, file);
    expect(checked.preview).toMatchObject({
      ...{ rows: 4, newBusinesses: 1, newLeads: 3, repeated: 1, lookAlikeCount: 3 },
      lookAlikes: [{ row: 2, name: `The ${name} Ltd`, match: { businessId: lead.businessId, name } }, {}, {}],
    });
    const done = await startAndWait(t, admin, checked.id);
    expect(done.counts).toEqual({ total: 4, successful: 4, failed: 0, alreadyThere: 1 });
    const found = await findLeadsNamed(t, name);
    expect(found.map(({ business }) => business.id)).toEqual([lead.businessId, lead.businessId, lead.businessId]);
    expect(found[0]?.business).toMatchObject({ name, formattedAddress: '1 Quay, Whitby' });
    expect(await findLeadsNamed(t, 'The Harbour')).toEqual([]);

    const again = await checkFile(t, admin, file);
    expect(again.preview).toMatchObject({ newBusinesses: 0, newLeads: 0, alreadyThere: 3, repeated: 1 });
    const undone = await t.request(admin, undoChanges, { params: { batchId: done.batchId ?? '' } });
    expect(undone.body).toMatchObject({ deleted: 3, left: [] });
    expect((await findLeadsNamed(t, name)).map((each) => each.lead.id)).toEqual([lead.id]);
  });

  test('are new businesses if the administrator says so, for all or for some', async () => {
    const [first, second] = [await stored(), await stored()];
    const file = `${HEADER}\n${first.row()}\n${second.row()}\n`;
    const some = await checkFile(t, admin, file);
    await startAndWait(t, admin, some.id, { exceptions: [3] });
    expect(await findLeadsNamed(t, first.name)).toHaveLength(2);
    expect(await findLeadsNamed(t, `The ${first.name}`)).toHaveLength(0);
    expect(await findLeadsNamed(t, `The ${second.name}`)).toHaveLength(1);
    const all = await checkFile(t, admin, file);
    expect(all.preview).toMatchObject({ lookAlikeCount: 1, alreadyThere: 2 });
    await startAndWait(t, admin, all.id, { useExisting: false });
    expect(await findLeadsNamed(t, `The ${first.name}`)).toHaveLength(1);

    const [third, fourth] = [await stored(), await stored()];
    const none = await checkFile(t, admin, `${HEADER}\n${third.row()}\n${fourth.row()}\n`);
    await startAndWait(t, admin, none.id, { useExisting: false, exceptions: [3] });
    expect(await findLeadsNamed(t, `The ${third.name}`)).toHaveLength(1);
    expect(await findLeadsNamed(t, fourth.name)).toHaveLength(2);
  });

  test('are found among corrected rows as well', async () => {
    const { name, lead, row } = await stored();
    const checked = await checkFile(t, admin, `${HEADER}\n${unique('Fine')},,,,\n${row('no-such-user')}\n`);
    const done = await startAndWait(t, admin, checked.id);
    const { rows } = (await t.request(admin, listRefusedRows, { params: { id: done.id } })).body;
    const corrected = { row: 3, cells: rows[0]?.cells.map((cell, at) => (at === 4 ? '' : cell)) ?? [] };
    const { body } = await t.request(admin, correctRows, { params: { id: done.id }, body: { rows: [corrected] } });
    expect(body).toMatchObject({ imported: 1, job: { counts: { successful: 2, failed: 0 } } });
    expect((await findLeadsNamed(t, name)).map(({ business }) => business.id)).toEqual([
      lead.businessId,
      lead.businessId,
    ]);
  });
});
