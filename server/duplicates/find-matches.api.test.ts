import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { matchKeys } from './find-matches.ts';
import { type Comparable, toEmailKey, toMatchKeys } from './match-keys.ts';
import { refreshAllKeys } from './refresh-keys.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

interface Candidate extends Comparable {
  email: string | null;
}

const candidate = (given: Partial<Candidate>): Candidate => ({
  name: 'Unrelated Business',
  address: null,
  town: null,
  phone: null,
  website: null,
  email: null,
  ...given,
});

async function findMatches(candidates: Candidate[]) {
  await refreshAllKeys(t.db);
  const compared = candidates.map(({ email, ...keys }) => {
    const key = toEmailKey(email);
    return { businessId: null, emails: key ? [key] : [], ...toMatchKeys(keys) };
  });
  return (await matchKeys(t.db, compared)).map(([best]) => best);
}

test('each candidate gets its best match, in the order of the candidates', async () => {
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
    candidate({}),
    candidate({ name: 'The Blue Door Bakery', address: 'High St, York YO1 7HU', phone: '+44 1632 960001' }),
    candidate({ name: 'Blue Door Bakery', town: 'York' }),
    candidate({ name: 'Blue Door', email: 'hello@bluedoor.example ' }),
    candidate({ name: 'Blue Door Bakery', town: 'Leeds' }),
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
    candidate({ name: 'Old Name Florist', town: 'Bath' }),
    candidate({ name: 'Rose and Thorn', town: 'Bath' }),
  ]);

  expect(old).toBeUndefined();
  expect(renamed).toMatchObject({ businessId: business.id });
});

test('500 candidates are one query', async () => {
  const candidates = Array.from({ length: 500 }, (_, at) =>
    candidate({ name: `Shop number ${at}`, phone: `01632 96${String(at).padStart(4, '0')}`, town: 'York' }),
  );
  expect(await findMatches(candidates)).toHaveLength(500);
});
