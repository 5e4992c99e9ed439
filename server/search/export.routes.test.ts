import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBusinesses } from '#contract/search/search.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let user: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  [user, admin] = [await t.user('user'), await t.user('admin')];
});
afterAll(() => t.close());

let created = 0;
async function createBusiness(fields: Partial<typeof businesses.$inferInsert> = {}) {
  created += 1;
  const placeId = `export-${process.pid}-${created}`;
  await t.db.insert(businesses).values({ placeId, name: 'Blue Door Bakery', ...fields });
  return placeId;
}

const download = (placeIds: string[], viewer = user, fields: object = {}) =>
  t.inject({
    method: 'POST',
    url: '/api/export-businesses',
    headers: { cookie: viewer.cookie, 'content-type': 'application/json' },
    payload: JSON.stringify({ format: 'csv', placeIds, businessType: 'Bakery', location: 'Leeds', page: 1, ...fields }),
  });

test('the selected businesses are a CSV file that is safe in spreadsheets', async () => {
  const first = await createBusiness({
    name: '=HYPERLINK("http://evil.example")',
    formattedAddress: '12 Mill Lane, Leeds LS1 2AB',
    town: 'Leeds',
    phone: '+44 113 496 0123',
    website: 'Not provided',
    rating: 4.5,
    types: ['bakery', 'shop'],
    longitude: -1.5,
  });
  const second = await createBusiness({ name: 'Café "Zoë"', website: 'https://zoe.example' });
  const response = await download([second, first, second]);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="business-data.csv"',
    'cache-control': 'no-store',
  });
  expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = response.body.split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('"Business Name","Address","Town","Phone","International Phone","Website"');
  expect(lines[1]).toContain('"Café ""Zoë""",');
  expect(lines[1]).toContain('"https://zoe.example"');
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil.example"")","12 Mill Lane, Leeds LS1 2AB","Leeds"`);
  expect(lines[2]).toContain(`"'+44 113 496 0123"`);
  expect(lines[2]).toContain('"bakery; shop"');
  expect(lines[2]).not.toContain('Not provided');
});

test('imported businesses are exported only by admins and their holders', async () => {
  const holder = await t.user('user');
  const { business: imported } = await t.lead(holder, { notes: 'private note', tags: ['hot'] }, { imported: true });
  const found = await createBusiness();
  for (const viewer of [user, await t.user('manager')]) {
    expect((await download([imported.placeId], viewer)).statusCode).toBe(404);
    const both = await download([imported.placeId, found], viewer);
    expect(both.body.split('\r\n')).toHaveLength(3);
    expect(both.body).not.toContain(imported.placeId);
  }
  for (const viewer of [holder, admin]) {
    const response = await download([imported.placeId, found], viewer);
    expect(response.body).toContain(imported.placeId);
    expect(response.body).not.toMatch(/private note|hot/);
  }
});

test('unknown businesses are skipped; an export of none is 404', async () => {
  const found = await createBusiness();
  expect((await download(['no-such-place', found])).body.split('\r\n')).toHaveLength(3);
  const none = await download(['no-such-place']);
  expect(none.json()).toMatchObject({ code: 'not_found' });
  expect(none.statusCode).toBe(404);
});

test('an export is audited with its count', async () => {
  const manager = await t.user('manager');
  await download([await createBusiness(), await createBusiness()], manager);
  const [event] = await t.db.select().from(auditEvents).where(eq(auditEvents.actorId, manager.id));
  expect(event).toMatchObject({ event: 'businesses_exported', details: { count: 2 }, outcome: 'done' });
});

test('invalid input is refused', async () => {
  const refused = async (body: object) =>
    (await t.request(user, exportBusinesses, { body: body as never })).body.message;
  expect(await refused({ format: 'csv', placeIds: [] })).toBe('Please select at least one business to export.');
  expect(await refused({ format: 'pdf', placeIds: ['a'] })).toBe('The format must be csv');
  expect(await refused({ format: 'csv', placeIds: Array(501).fill('a') })).toMatch(/At most 500/);
});
