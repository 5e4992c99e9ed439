import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { places } from '#server/kit/db/schema.ts';
import { scratchFolder } from '#server/kit/db/testing.ts';
import { type TestApp, testApp } from '#server/testing.ts';
import { loadPlaces } from './load-places.ts';

let t: TestApp;
const folder = scratchFolder('places');
beforeAll(async () => {
  t = await testApp({ alone: true });
});
afterAll(() => t.close());

const fileOf = (name: string, lines: string[]) => {
  const file = join(folder, name);
  writeFileSync(file, lines.join('\n'));
  return file;
};

const feature = (id: string, more: object = {}, coordinates = [-1.5482, 53.8001]) =>
  JSON.stringify({
    id,
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: {
      names: { primary: `Real Bakery ${id}` },
      taxonomy: { primary: 'bakery', hierarchy: ['food_and_drink', 'bakery'] },
      confidence: 0.93,
      websites: ['https://facebook.com/bakery', 'bakery.example'],
      phones: ['+441134960123'],
      addresses: [{ freeform: '12 Mill Lane', locality: 'Leeds', postcode: 'LS1 2AB', country: 'GB' }],
      operating_status: 'open',
      ...more,
    },
  });

test('features become places, bad ones are counted by reason, and the sample goes', async () => {
  const search = async () =>
    (await t.ask(await t.person(), searchBusinesses, { body: { businessType: 'Bakery', location: 'Leeds' } })).body;
  expect((await search()).sample).toBe(true);
  const file = fileOf('uk.geojsonseq', [
    feature('a'),
    `\u001e${feature('b')}`,
    feature('a', { names: { primary: 'Real Bakery a, renamed' } }),
    feature('c', { names: null }),
    feature('d', { confidence: 0.2 }),
    feature('e', { operating_status: 'permanently_closed' }),
    feature('f', {}, [2.35, 48.85]),
    feature('g', { addresses: [{ country: 'IE' }] }),
    '{"broken": ',
    '{"id": 7}',
    feature('h', { taxonomy: 'nonsense', phones: 'none', basic_category: 'bakery' }),
  ]);
  const report = await loadPlaces(t.db, file);
  expect(report).toMatchObject({ read: 11, kept: 4, unreadable: [9, 10] });
  expect(Object.fromEntries(report.skipped)).toEqual({
    'no name': 1,
    'not sure to exist': 1,
    'closed for good': 1,
    'outside the United Kingdom': 2,
    'not readable': 2,
  });
  const found = await search();
  expect(found).toMatchObject({ sample: false, totalCount: 3, attributions: [{ text: 'Overture Maps Foundation' }] });
  expect(found.businesses.find(({ placeId }) => placeId === 'ovt-a')).toMatchObject({
    name: 'Real Bakery a, renamed',
    formattedAddress: '12 Mill Lane, Leeds LS1 2AB',
    phone: '0113 496 0123',
    website: 'https://bakery.example',
    businessStatus: 'OPERATIONAL',
  });
  expect(await t.db.$count(places, eq(places.source, 'sample'))).toBe(0);
});

test('loading again changes nothing; what changed in the file changes here', async () => {
  const file = fileOf('again.geojsonseq', [feature('x'), feature('y')]);
  await loadPlaces(t.db, file);
  const before = await t.db.select().from(places).orderBy(places.id);
  await loadPlaces(t.db, file);
  expect(await t.db.select().from(places).orderBy(places.id)).toEqual(before);
  await loadPlaces(t.db, fileOf('again.geojsonseq', [feature('x', { phones: ['+441134960999'] }), feature('y')]));
  const [changed] = await t.db.select().from(places).where(eq(places.sourceId, 'ovt-x'));
  expect(changed?.phone).toBe('+441134960999');
});

test('a CSV file with our own columns, in any order', async () => {
  const file = fileOf('places.csv', [
    'Name,ID,Latitude,Longitude,Categories,Town,Rating,Price_Level',
    '"Baker, Son & Co",1,53.8,-1.54,bakery;Shop,Leeds,4.5,2',
    ',2,53.8,-1.54,bakery,Leeds,,',
    'No place,3,,,bakery,Leeds,,',
    'Odd,4,53.8,-1.54,bakery,Leeds,nonsense,9',
  ]);
  const report = await loadPlaces(t.db, file);
  expect(report).toMatchObject({ read: 4, kept: 2 });
  const rows = await t.db.select().from(places).where(eq(places.source, 'csv')).orderBy(places.sourceId);
  expect(rows).toMatchObject([
    { sourceId: 'csv-1', name: 'Baker, Son & Co', categories: ['bakery', 'shop'], rating: 4.5, priceLevel: 2 },
    { sourceId: 'csv-4', rating: null, priceLevel: null },
  ]);
});

test('a collection with one feature a line is understood, and a line without end is not kept', async () => {
  const lines = ['{ "type": "FeatureCollection",', '"features": [', `${feature('k')},`, feature('l'), ']', '}'];
  expect(await loadPlaces(t.db, fileOf('uk.geojson', lines))).toMatchObject({ read: 2, kept: 2 });
  const endless = fileOf('endless.geojsonseq', [`{"id":"${'x'.repeat(3_000_000)}"}`, feature('m')]);
  expect(await loadPlaces(t.db, endless)).toMatchObject({ read: 2, kept: 1, unreadable: [1] });
});

test('a file of another kind is refused by name', async () => {
  await expect(loadPlaces(t.db, 'uk.parquet')).rejects.toThrow(/neither .csv nor .geojsonseq/);
});

test('many batches arrive whole', async () => {
  const many = Array.from({ length: 1_203 }, (_, index) => feature(`many-${index}`));
  const told: number[] = [];
  const report = await loadPlaces(t.db, fileOf('many.geojsonseq', many), ({ kept }) => told.push(kept));
  expect(report.kept).toBe(1_203);
  expect(told).toEqual([500, 1_000, 1_203]);
});
