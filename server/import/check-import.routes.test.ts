import { afterAll, beforeAll, expect, test } from 'vitest';
import { businesses, leads, leadTags } from '#server/kit/db/schema.ts';
import { checkFile, importFile, startAndWait, unique } from '#server/testing/import.ts';
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
      pick(['', 'nobody-at-all', ...users.map(({ username }) => username)]),
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
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth},nobody-${nth},${'x'.repeat(2_000)}`);
  const { preview } = await checkFile(t, admin, `Business Name,User,Comment\n${rows.join('\n')}\n`);
  expect(preview).toMatchObject({ rows: 1_200, refused: 1_200, newLeads: 0 });
  expect(preview?.unknownUsers).toHaveLength(1_000);
  expect(JSON.stringify(preview?.refusedRows).length).toBeLessThan(300_000);
});
