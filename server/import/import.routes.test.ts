import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { csvFile } from '#contract/csv.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { assignmentHistory, businesses } from '#server/schema/leads.ts';
import { findLeadsNamed, importFile, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const HEADER = 'Business Name,Address,Town,Contact Name,Phone,Email Address,Website,User,Custom Tag';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const listNotificationsFor = async (user: TestUser) => (await t.request(user, listNotifications)).body.items;

test('a row becomes a business, a new lead with its tags and fields, and a first history row', async () => {
  const sam = await t.user();
  const name = unique('Blue Door Bakery');
  const row = `"${name}","12 High Street, Leeds LS1 4AP",Leeds,Bea Baker,0113 496 0000,bea@example.org,bluedoor.example.org,${sam.username.toUpperCase()},"bakery, hot"`;

  const { status, body } = await importFile(t, admin, `${HEADER}\n${row}\n`);

  expect(status).toBe(200);
  expect(body.importResults).toEqual({ total: 1, successful: 1, failed: 0, errors: [] });
  expect(body.message).toBe('Imported 1 of 1 business.');
  const [found, ...more] = await findLeadsNamed(t, name);
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    holder: sam.username,
    business: {
      formattedAddress: '12 High Street, Leeds LS1 4AP',
      town: 'Leeds',
      phone: '0113 496 0000',
      website: 'https://bluedoor.example.org',
      imported: true,
      phoneTyped: false,
    },
    lead: {
      status: 'new',
      viewed: false,
      tags: ['bakery', 'hot', 'Imported'],
      customFields: { email: 'bea@example.org', contactPerson: 'Bea Baker' },
      creditedAt: null,
    },
  });
  const history = await t.db
    .select()
    .from(assignmentHistory)
    .where(eq(assignmentHistory.userBusinessId, found?.lead.id ?? 0));
  expect(history).toMatchObject([{ newUserId: sam.id, previousUserId: null, changedBy: admin.id, initial: true }]);
});

test('refused rows are reported with their spreadsheet row number, and the others are imported', async () => {
  const inactive = await t.user('user', { active: false });
  const name = unique('Mixed');
  const file = [
    'Custom Tag;BUSINESS NAME; phone ;User;Whatever',
    `;"${name} A\nwith two lines";;;x`,
    '',
    ';;020 7946 0000;;x',
    `;${name} B;;nobody-of-this-name;x`,
    `;${name} C;;${inactive.username};x`,
    `;${name} D;ask for Bob;;x`,
    `vip;${name} E;020 7946 0000`,
  ].join('\r\n');

  const { status, body } = await importFile(t, admin, file);

  expect(status).toBe(200);
  expect(body.importResults).toEqual({
    total: 6,
    successful: 2,
    failed: 4,
    errors: [
      'Row 4: Business Name is required',
      'Row 5: User "nobody-of-this-name" does not exist or is inactive',
      `Row 6: User "${inactive.username}" does not exist or is inactive`,
      'Row 7: Phone number may contain only digits, spaces and + ( ) - . / # x ext ("ask for Bob")',
    ],
  });
  expect(body.message).toBe('Imported 2 of 6 businesses. 4 rows could not be imported.');
  expect(body.refused).toMatchObject({
    columns: ['Custom Tag', 'BUSINESS NAME', ' phone ', 'User', 'Whatever'],
    leftOut: 0,
  });
  expect(body.refused.rows[0]).toEqual({
    row: 4,
    reason: 'Business Name is required',
    cells: ['', '', '020 7946 0000', '', 'x'],
  });
  const found = await findLeadsNamed(t, name);
  expect(found.map(({ business, holder }) => [business.name, holder])).toEqual([
    [`${name} A with two lines`, admin.username],
    [`${name} E`, admin.username],
  ]);
});

test('at most 200 errors are listed, and the others are counted', async () => {
  const { body } = await importFile(t, admin, `Business Name,Phone\n${',1\n'.repeat(1_500)}`);
  expect(body.importResults).toMatchObject({ total: 1_500, successful: 0, failed: 1_500 });
  expect(body.importResults.errors).toHaveLength(201);
  expect(body.importResults.errors.at(-1)).toBe('and 1,300 more');
  expect(body.refused.rows).toHaveLength(1_000);
  expect(body.refused.leftOut).toBe(500);
});

describe('importing again', () => {
  test('creates no duplicates and says so, also within one file and after a lead was reassigned', async () => {
    const [sam, pat] = [await t.user(), await t.user()];
    const name = unique('Twice');
    const file = `Business Name,Address,User\n${name},"1 High St, Leeds",${sam.username}\n${name.toUpperCase()},"1  HIGH st, leeds",${sam.username}\n${name},"1 High St, Leeds",${pat.username}`;

    const first = await importFile(t, admin, file);
    expect(first.body).toMatchObject({ importResults: { total: 3, successful: 3 }, alreadyThere: 1 });
    expect(await findLeadsNamed(t, name)).toHaveLength(2);

    const lead = (await findLeadsNamed(t, name)).find(({ holder }) => holder === sam.username)?.lead;
    const other = await t.user();
    await t.inject({
      method: 'POST',
      url: `/api/reassign-business/${lead?.id}`,
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      payload: JSON.stringify({ newUserId: other.id }),
    });
    const again = await importFile(t, admin, file);
    expect(again.body.importResults).toEqual({ total: 3, successful: 3, failed: 0, errors: [] });
    expect(again.body.alreadyThere).toBe(3);
    expect(again.body.message).toBe('Imported 3 of 3 businesses. 3 were already there, and nothing was added twice.');
    expect((await findLeadsNamed(t, name)).map(({ holder }) => holder).sort()).toEqual(
      [other.username, pat.username].sort(),
    );
    expect(await t.db.$count(businesses, eq(businesses.name, name))).toBe(1);
    expect((await listNotificationsFor(pat)).filter(({ type }) => type === 'lead_assigned')).toHaveLength(1);
  });

  test('updates a business, except for what a user typed', async () => {
    const name = unique('Typed');
    const file = (phone: string, site: string) =>
      `Business Name,Address,Phone,Website\n${name},1 Quay,${phone},${site}`;
    await importFile(t, admin, file('1', 'one.example.org'));
    await importFile(t, admin, file('2', ''));
    expect((await findLeadsNamed(t, name))[0]?.business).toMatchObject({
      phone: '2',
      website: 'https://one.example.org',
    });
    await t.db.update(businesses).set({ phone: '3', phoneTyped: true }).where(eq(businesses.name, name));
    await importFile(t, admin, file('4', 'two.example.org'));
    expect((await findLeadsNamed(t, name))[0]?.business).toMatchObject({
      phone: '3',
      website: 'https://two.example.org',
    });
  });

  test('with the same Idempotency-Key returns the first response; with another file it is a conflict', async () => {
    const name = unique('Keyed');
    const headers = { 'idempotency-key': unique('key').replace(' ', '-') };
    const first = await importFile(t, admin, `Business Name\n${name}`, { headers });
    const again = await importFile(t, admin, `Business Name\n${name}`, { headers });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(first.headers[BATCH_HEADER]).toBeTruthy();
    expect(again.headers[BATCH_HEADER]).toBe(first.headers[BATCH_HEADER]);
    const other = await importFile(t, admin, `Business Name\n${name} other`, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(await findLeadsNamed(t, name)).toHaveLength(1);
    const malformed = await importFile(t, admin, `Business Name\n${name}`, { headers: { 'idempotency-key': '!' } });
    expect(malformed).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

test('each assignee gets one notification for all batches, and the importer one at the end', async () => {
  const [sam, importer] = [await t.user(), await t.user('admin', { fullName: 'Ada Admin' })];
  const name = unique('Many');
  const rows = Array.from({ length: 1_203 }, (_, nth) => `${name} ${nth},${nth % 3 ? sam.username : ''}`);

  const { body } = await importFile(t, importer, `Business Name,User\n${rows.join('\n')}`);

  expect(body.importResults).toMatchObject({ total: 1_203, successful: 1_203 });
  expect(await listNotificationsFor(sam)).toMatchObject([
    {
      type: 'lead_assigned',
      message: 'Ada Admin imported 802 businesses for you.',
      read: false,
      sourceUserId: importer.id,
    },
  ]);
  expect(await listNotificationsFor(importer)).toMatchObject([
    { type: 'import_finished', title: 'Import finished', message: 'Imported 1,203 of 1,203 businesses.' },
  ]);
  const audited = await t.db
    .select({ details: auditEvents.details })
    .from(auditEvents)
    .where(and(eq(auditEvents.event, 'import'), inArray(auditEvents.actorId, [importer.id])));
  expect(audited).toEqual([{ details: { successful: 1_203, failed: 0, created: 1_203, ended: 'done' } }]);
});

test('a large import analyzes the tables of the lead list', async () => {
  const started = new Date();
  const name = unique('Statistics');
  const rows = Array.from({ length: 1_001 }, (_, nth) => `${name} ${nth}`);
  await importFile(t, admin, `Business Name\n${rows.join('\n')}`);
  const analyzed = async () => {
    const { rows: found } = await t.db.execute<{ at: string | null }>(
      sql`select last_analyze as at from pg_stat_user_tables where relname = 'user_businesses'`,
    );
    return new Date(found[0]?.at ?? 0);
  };
  await expect.poll(analyzed, { timeout: 10_000 }).toSatisfy((at: Date) => at >= started);
});

test('refused rows are imported after correction', async () => {
  const name = unique('Corrected');
  const { body } = await importFile(t, admin, `Business Name,Phone,Import Error\n${name},=1+1,old`);
  expect(body.refused.columns).toEqual(['Business Name', 'Phone']);
  const cells = body.refused.rows[0]?.cells ?? [];
  expect(cells).toEqual([name, '=1+1']);
  const reason = body.refused.rows[0]?.reason ?? '';
  const corrected = csvFile([
    ['Business Name', 'Phone', 'Import Error'],
    [name, '+44 1', reason],
  ]);
  const again = await importFile(t, admin, corrected);
  expect(again.body.importResults).toMatchObject({ successful: 1, failed: 0 });
  expect((await findLeadsNamed(t, name))[0]?.business.phone).toBe('+44 1');
});
