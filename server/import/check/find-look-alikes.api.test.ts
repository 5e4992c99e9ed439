import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportRow } from '#contract/import/csv-row.ts';
import { refreshAllKeys } from '#server/duplicates/refresh-keys.sql.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { findLookAlikes } from './find-look-alikes.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

const aRow = ({ email, ...given }: Partial<ImportRow> & { email?: string }): ImportRow => ({
  name: 'Unrelated Business',
  address: null,
  town: null,
  phone: null,
  website: null,
  customFields: email ? { email } : {},
  ownFields: {},
  username: '',
  tags: [],
  notes: '',
  placeId: null,
  position: null,
  businessType: null,
  ...given,
});

async function findMatches(rows: ImportRow[]) {
  await refreshAllKeys(t.db);
  return findLookAlikes(t.db, rows);
}

test('each row gets its best match, in the order of the rows', async () => {
  const holder = await t.user();
  const bakery = await t.lead(
    holder,
    { customFields: { email: 'Hello@BlueDoor.example' } },
    {
      name: 'Blue Door Bakery Ltd',
      formattedAddress: '1 High Street, York YO1 7HU, UK',
      town: 'York',
      phone: '01632 960001',
      website: 'https://www.bluedoor.example/',
    },
  );

  const matches = await findMatches([
    aRow({}),
    aRow({ name: 'The Blue Door Bakery', address: 'High St, York YO1 7HU', phone: '+44 1632 960001' }),
    aRow({ name: 'Blue Door Bakery', town: 'York' }),
    aRow({ name: 'Blue Door', email: 'hello@bluedoor.example ' }),
    aRow({ name: 'Blue Door Bakery', town: 'Leeds' }),
  ]);

  const found = { businessId: bakery.business.id, name: 'Blue Door Bakery Ltd', town: 'York' };
  expect(matches).toEqual([
    undefined,
    { ...found, reasons: ['phone', 'name_postcode'], score: expect.any(Number) },
    { ...found, reasons: ['name_town'], score: expect.any(Number) },
    { ...found, reasons: ['email'], score: expect.any(Number) },
    undefined,
  ]);
});

test('a business that was changed a moment ago is found by its new values', async () => {
  const { business } = await t.lead(await t.user(), {}, { name: 'Old Name Florist', town: 'Bath' });
  await findMatches([]);
  await t.db.execute(`update businesses set name = 'Rose & Thorn', updated_at = now() where id = ${business.id}`);

  const [old, renamed] = await findMatches([
    aRow({ name: 'Old Name Florist', town: 'Bath' }),
    aRow({ name: 'Rose and Thorn', town: 'Bath' }),
  ]);

  expect(old).toBeUndefined();
  expect(renamed).toMatchObject({ businessId: business.id });
});

test('500 rows are one query', async () => {
  const rows = Array.from({ length: 500 }, (_, at) =>
    aRow({ name: `Shop number ${at}`, phone: `01632 96${String(at).padStart(4, '0')}`, town: 'York' }),
  );
  expect(await findMatches(rows)).toHaveLength(500);
});
