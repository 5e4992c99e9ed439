import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { places } from '#server/schema/places.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { bakery, overtureFile } from '#server/testing/parquet.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { loadPlaces } from './load-places.ts';

let t: TestApp;
const folder = scratchFolder('places');
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

const writeLines = (name: string, lines: string[]) => {
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

test('features become places, skipped ones are counted by reason, and the sample is deleted', async () => {
  const search = async (businessType = 'Bakery', more: object = {}) =>
    (await t.request(await t.user(), searchBusinesses, { body: { businessType, location: 'Leeds', ...more } })).body;
  expect((await search()).sample).toBe(true);
  const file = writeLines('uk.geojsonseq', [
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
  expect(report.skipped).toEqual({
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
  expect(await search('Zzyzx')).toMatchObject({ sample: false, totalCount: 0, notices: [] });
  expect(await search('Bakery', { openNow: true, minPrice: 1, maxPrice: 2, sortBy: 'rating' })).toMatchObject({
    totalCount: 3,
    notices: [
      'This source has no opening hours, so all are shown.',
      'This source has no prices to filter by.',
      'This source has no ratings to sort by.',
    ],
  });
});

test('loading a file again writes only changed places', async () => {
  const file = writeLines('again.geojsonseq', [feature('x'), feature('y')]);
  await loadPlaces(t.db, file);
  const before = await t.db.select().from(places).orderBy(places.id);
  await loadPlaces(t.db, file);
  expect(await t.db.select().from(places).orderBy(places.id)).toEqual(before);
  await loadPlaces(t.db, writeLines('again.geojsonseq', [feature('x', { phones: ['+441134960999'] }), feature('y')]));
  const [changed] = await t.db.select().from(places).where(eq(places.sourceId, 'ovt-x'));
  expect(changed?.phone).toBe('+441134960999');
});

test('a CSV file with columns in any order is loaded', async () => {
  const file = writeLines('places.csv', [
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

test('a collection with one feature per line is loaded, and a line that is too long is skipped', async () => {
  const lines = ['{ "type": "FeatureCollection",', '"features": [', `${feature('k')},`, feature('l'), ']', '}'];
  expect(await loadPlaces(t.db, writeLines('uk.geojson', lines))).toMatchObject({ read: 2, kept: 2 });
  const endless = writeLines('endless.geojsonseq', [`{"id":"${'x'.repeat(3_000_000)}"}`, feature('m')]);
  expect(await loadPlaces(t.db, endless)).toMatchObject({ read: 2, kept: 1, unreadable: [1] });
});

test('a file of another type, or without the required columns, is refused', async () => {
  await expect(loadPlaces(t.db, 'uk.xlsx')).rejects.toThrow(/uk\.xlsx is none of \.parquet, \.geojsonseq and \.csv/);
  const headless = writeLines('headless.csv', ['Name,Town', 'Bakery,Leeds']);
  await expect(loadPlaces(t.db, headless)).rejects.toThrow(/has no column id, latitude, longitude/);
});

test('all batches are stored, and progress is reported after each', async () => {
  const many = Array.from({ length: 1_203 }, (_, index) => feature(`many-${index}`));
  const progress: number[] = [];
  const report = await loadPlaces(t.db, writeLines('many.geojsonseq', many), ({ kept }) => progress.push(kept));
  expect(report.kept).toBe(1_203);
  expect(progress).toEqual([500, 1_000, 1_203]);
});

const ROWS = 1_100;
const numbers = Array.from({ length: ROWS }, (_, number) => number);
const line = (kind: string, number: number) => {
  const { id, names, taxonomy } = bakery(`${kind}-${number}`);
  return {
    id,
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-1.5, 53.8] },
    properties: { names, taxonomy },
  };
};

/** The same places in a file of each type, after one row that cannot be parsed. */
const WRITE: Record<string, (file: string) => unknown> = {
  'a.parquet': async (file) => {
    const parquet = overtureFile(file);
    await parquet.write([bakery(0, { id: null }), ...numbers.map((number) => bakery(`a.parquet-${number}`))]);
    await parquet.end();
  },
  'b.geojsonseq': (file) => {
    const rows = numbers.map((number) => JSON.stringify(line('b.geojsonseq', number)));
    writeFileSync(file, ['{', ...rows].join('\n'));
  },
  'c.csv': (file) => {
    const rows = numbers.map((number) => `bakery-c.csv-${number},Bakery ${number},53.8,-1.5`);
    writeFileSync(file, ['id,name,latitude,longitude', '?,?,53.8,-1.5', ...rows].join('\n'));
  },
};

const cutOff = new Error('cut off');
const cutOffAtOnce = () => {
  throw cutOff;
};

async function half(kind: string) {
  const file = join(folder, kind);
  await WRITE[kind]?.(file);
  await expect(loadPlaces(t.db, file, cutOffAtOnce)).rejects.toBe(cutOff);
  return file;
}

const matchPlace = (kind: string, number: number) =>
  eq(places.sourceId, `${kind.endsWith('csv') ? 'csv' : 'ovt'}-bakery-${kind}-${number}`);
const rename = (kind: string, number: number) =>
  t.db.update(places).set({ name: 'Renamed here' }).where(matchPlace(kind, number));
const findName = async (kind: string, number: number) =>
  (await t.db.select({ name: places.name }).from(places).where(matchPlace(kind, number)))[0]?.name;

test.each(Object.keys(WRITE))(
  'an interrupted load of %s resumes after the last batch and reports all rows',
  async (kind) => {
    const file = await half(kind);
    expect(await findName(kind, 499)).toBeDefined();
    expect(await findName(kind, 500)).toBeUndefined();
    await rename(kind, 3);

    const report = await loadPlaces(t.db, file);
    const firstLine = kind === 'c.csv' ? 2 : 1;
    expect(report).toEqual({
      read: ROWS + 1,
      kept: ROWS,
      skipped: { 'not readable': 1 },
      unreadable: [firstLine],
      resumedAfter: firstLine + 500,
    });
    expect(await findName(kind, 3), 'the first rows were not read again').toBe('Renamed here');
    expect(await findName(kind, ROWS - 1)).toBeDefined();

    const again = await loadPlaces(t.db, file);
    expect(again).toMatchObject({ read: ROWS + 1, kept: ROWS, resumedAfter: 0 });
    expect(await findName(kind, 3), 'a completed load starts from the beginning').not.toBe('Renamed here');
  },
);

test('a changed file, or one after which another was loaded, is loaded from the beginning', async () => {
  const file = await half('b.geojsonseq');
  utimesSync(file, new Date(), new Date(Date.now() + 10_000));
  expect(await loadPlaces(t.db, file)).toMatchObject({ kept: ROWS, resumedAfter: 0 });

  const other = await half('c.csv');
  expect(await loadPlaces(t.db, await half('a.parquet'))).toMatchObject({ resumedAfter: 501 });
  expect(await loadPlaces(t.db, other)).toMatchObject({ kept: ROWS, resumedAfter: 0 });
});
