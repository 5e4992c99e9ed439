import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AREA_NAMES } from '#contract/districts/area-names.ts';
import { areaOf, DISTRICT } from '#contract/districts/district.ts';
import { listDistricts } from '#contract/districts/districts.calls.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('every district has a code, a centre and an area with a name, and browsers may cache the list', async () => {
  const { status, body, headers } = await t.request(await t.user(), listDistricts);
  expect(status).toBe(200);
  expect(body).toHaveLength(2_856);
  expect(body.filter(({ code }) => !DISTRICT.test(code))).toEqual([]);
  expect([...new Set(body.map(({ code }) => areaOf(code)))].toSorted()).toEqual(Object.keys(AREA_NAMES).toSorted());
  expect(body.find(({ code }) => code === 'SW1A')).toMatchObject({ region: 'London' });
  expect(headers['cache-control']).toBe('private, max-age=604800');
});

test('the list of districts is for signed-in users', async () => {
  expect(await t.request(null, listDistricts)).toMatchObject({ status: 401 });
});

test.each([
  ['1 High Street, Leeds LS1 4AP, UK', 'LS1'],
  ['1 High Street, Leeds, ls14ap', 'LS1'],
  ['10 Downing Street, London SW1A  2AA', 'SW1A'],
  ['M1 1AE House, 3 Dock Road, Liverpool L1 8JQ', 'L1'],
  ['Flat EC1A 1BBX, Leeds', null],
  ['Unit B2, Leeds', null],
  [' sw1a ', 'SW1A'],
  ['LS14AP', 'LS1'],
  ['LS14', 'LS14'],
  ['Leeds', null],
  ['', null],
])('the district of "%s" is %s', async (address, district) => {
  const { rows } = await t.db.execute(sql`select postcode_district(${address}) as district`);
  expect(rows).toEqual([{ district }]);
});
