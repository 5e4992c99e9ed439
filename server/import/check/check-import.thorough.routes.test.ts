import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { formatCount } from '#contract/format.ts';
import { correctRows, listRefusedRows, startImport } from '#contract/import/import-jobs.calls.ts';
import { planTrip } from '#contract/leads/trip/trip.calls.ts';
import { businesses, leads, leadTags } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { checkAgain, checkFile, findLeadsNamed, importFile, startAndWait, unique } from '#server/testing/import.ts';
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
  const { counts, batchId } = await startAndWait(t, admin, id);

  const after = await countStored();
  expect({
    newBusinesses: preview.newBusinesses,
    newLeads: preview.newLeads,
    newTags: preview.newTagCount,
    counts: {
      total: preview.rows,
      successful: preview.newLeads + preview.alreadyThere + preview.repeated,
      failed: preview.refused,
      created: preview.newLeads,
      alreadyThere: preview.alreadyThere,
      repeated: preview.repeated,
    },
  }).toEqual({
    newBusinesses: after.businesses - before.businesses,
    newLeads: after.leads - before.leads,
    newTags: after.tags - before.tags,
    counts,
  });
  expect(preview.rows).toBe(preview.newLeads + preview.alreadyThere + preview.repeated + preview.refused);
  for (const count of [preview.newLeads, preview.alreadyThere, preview.repeated, preview.refused]) {
    expect(count).toBeGreaterThan(0);
  }
  const [logged] = (await t.request(admin, listChanges, { query: { kind: 'import' } })).body.items;
  expect(logged).toMatchObject({ id: batchId, created: preview.newLeads });

  // The bells of the importer and of the users who got leads.
  const bells = await t.db
    .select({ type: notifications.type, message: notifications.message })
    .from(notifications)
    .where(eq(notifications.batch, batchId ?? ''));
  const [result, assigned] = [
    bells.filter((bell) => bell.type === 'import_finished'),
    bells.filter((bell) => bell.type === 'lead_assigned'),
  ];
  const { rows, newLeads, alreadyThere, repeated, refused } = preview;
  const texts = [
    `${newLeads} new leads`,
    `${alreadyThere} already there`,
    `${repeated} repeated in the file`,
    `${refused} refused`,
  ];
  expect(result.map(({ message }) => message)).toEqual([`${formatCount(rows)} rows: ${texts.join(', ')}.`]);
  const given = assigned.reduce((sum, { message }) => sum + Number(/imported (\d+) business/.exec(message)?.[1]), 0);
  const own = await t.db.$count(leads, and(eq(leads.userId, admin.id), inLeadsOf(batchId)));
  expect(given + own).toBe(newLeads);
});

const inLeadsOf = (batchId: string | null) =>
  sql`${leads.id} in (select lead_id from changes where batch_id = ${batchId} and field = 'lead')`;

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
  const HEADER = 'Business Name,Address,Town,Phone,User';
  const aPhone = () => `01632 96${String(Math.floor(Math.random() * 9_000) + 1_000)}`;
  /** A stored business; another name, thus another business to the import; the same phone, thus one that looks like it. */
  const stored = async (lead = {}) => {
    const holder = await t.user('user', { fullName: 'Priya Shah' });
    const name = unique('Harbour Bakery');
    const phone = aPhone();
    const business = { name, town: 'Whitby', phone, formattedAddress: '1 Quay, Whitby' };
    const { businessId } = await t.lead(holder, { status: 'negotiation', ...lead }, business);
    const row = (user = '') => `The ${name} Ltd,"1 The Quay, Whitby",Whitby,${phone},${user}`;
    return { name, phone, holder, businessId, row };
  };
  const check = (file: string, choices = {}) => checkFile(t, admin, `${HEADER}\n${file}\n`, { choices });
  const countLeads = async (name: string) => (await findLeadsNamed(t, name)).length;

  test('that someone works are left with them unless it is said otherwise', async () => {
    const { name, holder, businessId, row } = await stored();
    const checked = await check(`${row()}\n${unique('Lonely')},,,,`);
    expect(checked.preview).toMatchObject({
      ...{ rows: 2, newBusinesses: 1, newLeads: 1, alreadyThere: 1 },
      lookAlikeCounts: { held: 1, unclaimed: 0, phone: 0, file: 0 },
      lookAlikes: [
        {
          ...{ row: 2, name: `The ${name} Ltd`, kind: 'held', decision: 'leave' },
          match: { businessId, name },
          holder: { name: 'Priya Shah', status: 'negotiation', others: 0 },
        },
      ],
    });
    const done = await startAndWait(t, admin, checked.id);
    expect(done).toMatchObject({
      message: '2 rows: 1 new lead, 1 already there.',
      counts: { created: 1, repeated: 0 },
    });
    expect((await findLeadsNamed(t, name)).map((each) => each.holder)).toEqual([holder.username]);

    const shared = await check(row(), { decisions: { held: 'existing' } });
    expect(shared.preview).toMatchObject({ newLeads: 1, newBusinesses: 0, lookAlikes: [{ decision: 'existing' }] });
    const { batchId } = await startAndWait(t, admin, shared.id);
    const found = await findLeadsNamed(t, name);
    expect(found.map(({ business }) => business.id)).toEqual([businessId, businessId]);
    expect(found[0]?.business).toMatchObject({ name, formattedAddress: '1 Quay, Whitby' });
    const undone = await t.request(admin, undoChanges, { params: { batchId: batchId ?? '' } });
    expect(undone.body).toMatchObject({ deleted: 1, left: [] });
    expect(await countLeads(name)).toBe(1);
  });

  test('with the very name and address of a business that someone works are no second lead in silence', async () => {
    const name = unique('Same Again');
    const [first, second] = [await t.user(), await t.user()];
    const file = (user: TestUser) => `${name},1 High St,,,${user.username}`;
    await startAndWait(t, admin, (await check(file(first))).id);
    const checked = await check(file(second));
    expect(checked.preview).toMatchObject({
      newLeads: 0,
      alreadyThere: 1,
      lookAlikes: [{ kind: 'held', match: { reasons: [] } }],
    });
    await startAndWait(t, admin, checked.id);
    expect(await countLeads(name)).toBe(1);
    await startAndWait(t, admin, (await check(file(second), { decisions: { held: 'existing' } })).id);
    expect(await countLeads(name)).toBe(2);
  });

  test('that no one works, or the row is for their holder, are used', async () => {
    const archived = await stored({ archived: true });
    const own = await stored();
    const checked = await check(`${archived.row()}\n${own.row(own.holder.username)}`);
    expect(checked.preview).toMatchObject({
      ...{ newLeads: 1, alreadyThere: 1, newBusinesses: 0 },
      lookAlikeCounts: { unclaimed: 2, held: 0 },
    });
    await startAndWait(t, admin, checked.id);
    expect(await countLeads(archived.name)).toBe(2);
    expect(await countLeads(own.name)).toBe(1);
  });

  test('with nothing but the same phone number are asked about', async () => {
    const { name, phone } = await stored();
    const checked = await check(`The ${name},,,${phone},`);
    expect(checked.preview).toMatchObject({
      ...{ rows: 1, newLeads: 0, alreadyThere: 0, undecided: 1 },
      lookAlikes: [{ kind: 'phone', decision: null, holder: { name: 'Priya Shah' } }],
    });
    expect(await t.request(admin, startImport, { params: { id: checked.id } })).toMatchObject({
      ...{ status: 409, body: { code: 'import_not_ready' } },
    });
    const decided = await checkAgain(t, admin, checked.id, { exceptions: [{ row: 2, decision: 'new' }] });
    expect(decided.preview).toMatchObject({ newLeads: 1, newBusinesses: 1, undecided: 0 });
    await startAndWait(t, admin, checked.id);
    expect([await countLeads(name), await countLeads(`The ${name}`)]).toEqual([1, 1]);
  });

  test('are new businesses if the administrator says so, for all or for some', async () => {
    const [first, second] = [await stored(), await stored()];
    const file = `${first.row()}\n${second.row()}`;
    const some = await check(file, { exceptions: [{ row: 3, decision: 'new' }] });
    await startAndWait(t, admin, some.id);
    expect(await countLeads(`The ${first.name}`)).toBe(0);
    expect(await countLeads(`The ${second.name}`)).toBe(1);
    const all = await check(file, { decisions: { held: 'new' } });
    expect(all.preview).toMatchObject({ newLeads: 1, alreadyThere: 1 });
    await startAndWait(t, admin, all.id);
    expect(await countLeads(`The ${first.name}`)).toBe(1);
  });

  test('inside one file are counted as repeated, and one is kept', async () => {
    const name = unique('Hill Top Bakery');
    const phone = aPhone();
    // In another batch than the first.
    const others = Array.from({ length: 600 }, (_, nth) => `${unique('Filler')} ${nth},,,,`);
    const rows = [
      `${name},,Whitby,${phone},`,
      `${name},,Whitby,,`,
      ...others,
      `${name} Ltd,,Whitby,+44${phone.slice(1)},`,
    ];
    const checked = await check(rows.join('\n'));
    expect(checked.preview).toMatchObject({
      ...{ rows: 603, newBusinesses: 601, newLeads: 601, repeated: 2 },
      lookAlikeCounts: { file: 1 },
      lookAlikes: [
        {
          ...{ row: 604, name: `${name} Ltd`, kind: 'file', decision: 'leave', holder: null },
          match: { businessId: null, row: 2, name, town: 'Whitby', reasons: ['phone', 'name_town'] },
        },
      ],
    });
    const done = await startAndWait(t, admin, checked.id);
    expect(done).toMatchObject({
      message: '603 rows: 601 new leads, 2 repeated in the file.',
      counts: { created: 601, repeated: 2, alreadyThere: 0 },
    });
    expect(await countLeads(name)).toBe(1);
    const two = unique('Marina Dental Practice');
    const both = await check(`${two},,York,,\n${two} Ltd,,York,,`, { decisions: { file: 'new' } });
    expect(both.preview).toMatchObject({ newLeads: 2, repeated: 0 });
    await startAndWait(t, admin, both.id);
    expect(await countLeads(two)).toBe(2);
  });

  test('inside one file are kept once, too, where they are given as new or stand there twice', async () => {
    const { name, phone } = await stored();
    const like = unique('Shared Desk Studio');
    const rows = [
      // Both have the phone number of the stored one.
      `${like},,Whitby,${phone},`,
      `${like} Ltd,,Whitby,${phone},`,
      // The same row as the one before.
      `${like} Ltd,,Whitby,${phone},`,
    ];
    const checked = await check(rows.join('\n'), { decisions: { phone: 'new' } });
    expect(checked.preview).toMatchObject({ rows: 3, newBusinesses: 1, newLeads: 1, repeated: 2, undecided: 0 });
    await startAndWait(t, admin, checked.id);
    expect([await countLeads(name), await countLeads(like)]).toEqual([1, 1]);

    const alone = unique('Lantern Cafe');
    const twice = [`${alone},,York,,`, `${alone} Ltd,,York,,`, `${alone} Ltd,,York,,`];
    const again = await check(twice.join('\n'));
    expect(again.preview).toMatchObject({ rows: 3, newBusinesses: 1, newLeads: 1, repeated: 2 });
    await startAndWait(t, admin, again.id);
    expect(await countLeads(alone)).toBe(1);
  });

  test('are found where only the row before looks like a stored business', async () => {
    const name = unique('Harbour Bakery');
    const website = `https://${name.replaceAll(' ', '-').toLowerCase()}.example`;
    await t.lead(await t.user(), {}, { name, town: 'Whitby', phone: aPhone(), website });
    const moved = aPhone();
    const rows = ['Business Name,Town,Phone,Website', `${name} Ltd,Whitby,${moved},${website}`, `${name},,${moved},`];
    const checked = await checkFile(t, admin, `${rows.join('\n')}\n`);
    expect(checked.preview).toMatchObject({
      ...{ newLeads: 0, alreadyThere: 1, repeated: 1 },
      lookAlikes: [
        { row: 2, kind: 'held' },
        { row: 3, kind: 'file', match: { row: 2 } },
      ],
    });
  });

  test('are found among corrected rows as well', async () => {
    const [held, free] = [await stored(), await stored({ archived: true })];
    const wrong = 'no-such-user';
    const checked = await check(`${unique('Fine')},,,,\n${held.row(wrong)}\n${free.row(wrong)}`);
    const done = await startAndWait(t, admin, checked.id);
    const refused = (await t.request(admin, listRefusedRows, { params: { id: done.id } })).body.rows;
    const rows = refused.map(({ row, cells }) => ({ row, cells: cells.with(4, '') }));
    const { body } = await t.request(admin, correctRows, { params: { id: done.id }, body: { rows } });
    expect(body).toMatchObject({ imported: 2, job: { counts: { successful: 3, created: 2, alreadyThere: 1 } } });
    expect([await countLeads(held.name), await countLeads(free.name)]).toEqual([1, 2]);
    expect(await countLeads(`The ${held.name}`)).toBe(0);
  });

  test('are found among rows that are corrected together', async () => {
    const name = unique('Plain Bakery');
    const wrong = `Whitby,,no-such-user`;
    const checked = await check(`${unique('Fine')},,,,\n${name},,${wrong}\n${name} Ltd,,${wrong}`);
    const done = await startAndWait(t, admin, checked.id);
    const refused = (await t.request(admin, listRefusedRows, { params: { id: done.id } })).body.rows;
    const rows = refused.map(({ row, cells }) => ({ row, cells: cells.with(4, '') }));
    const { body } = await t.request(admin, correctRows, { params: { id: done.id }, body: { rows } });
    expect(body.job.counts).toMatchObject({ successful: 3, created: 2, repeated: 1, failed: 0 });
    expect(await countLeads(name)).toBe(1);
  });
});

test('a place id, a type and a position are those of the business; a postcode says about where it is', async () => {
  const name = unique('Mapped');
  const placeId = `ChIJ${unique('x').replace(' ', '')}`;
  const file = [
    'title,full_address,place_id,lat,lng,categoryName',
    `${name} A,"1 Mill Lane, Leeds LS1 4AP",${placeId},53.7965,-1.5478,Bakery`,
    `${name} B,"HG1 1AA",,,,`,
  ];
  await startAndWait(t, admin, (await checkFile(t, admin, `${file.join('\n')}\n`)).id);
  const [first, second] = (await findLeadsNamed(t, name)).map(({ business }) => business);
  const exact = { latitude: 53.7965, longitude: -1.5478, positionApproximate: false };
  expect(first).toMatchObject({ placeId, types: ['bakery'], ...exact });
  expect(second).toMatchObject({ town: 'Harrogate', district: 'HG1', positionApproximate: true });
  expect(second?.latitude).toBeCloseTo(54, 0);
  const query = { latitude: 54, longitude: -1.5, search: `${name} B` };
  const trip = await t.request(admin, planTrip, { query });
  expect(trip.body.stops[0]).toMatchObject({ name: `${name} B`, positionApproximate: true });

  // Of the same business, a file without positions changes none.
  await importFile(t, admin, `Business Name,Address\n${name} B,HG1 1AA\n`);
  const again = await checkFile(t, admin, `title,full_address,lat,lng\n${name} B,HG1 1AA,53.99,-1.54\n`);
  await startAndWait(t, admin, again.id);
  expect((await findLeadsNamed(t, `${name} B`))[0]?.business).toMatchObject({
    ...{ latitude: 53.99, longitude: -1.54, positionApproximate: false },
  });
});
