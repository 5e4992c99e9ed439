import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, like } from 'drizzle-orm';
import { parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { places } from '#server/schema/places.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { bakery, type OverturePlace, overtureFile } from '#server/testing/parquet.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { loadPlaces } from './load-places.ts';

// Thirteen places in three row groups, written by Arrow (zstd), with further columns that the loader ignores.
const BY_ARROW = fileURLToPath(new URL('../../testing/overture.parquet', import.meta.url));

let t: TestApp;
const folder = scratchFolder('parquet');
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

const stored = (id: string) =>
  t.db
    .select()
    .from(places)
    .where(like(places.sourceId, `ovt-${id}%`))
    .orderBy(places.id);

async function writeParquet(
  name: string,
  groups: OverturePlace[][],
  without: (keyof OverturePlace)[] = [],
  page?: number,
) {
  const file = join(folder, name);
  const parquet = overtureFile(file, without);
  for (const group of groups) await parquet.write(group, page);
  await parquet.end();
  return file;
}

test('a file written by Arrow is loaded, and skipped rows are counted by reason', async () => {
  const report = await loadPlaces(t.db, BY_ARROW);
  expect(report).toEqual({
    read: 13,
    kept: 4,
    skipped: {
      'no place on the map': 2,
      'no name': 2,
      'not sure to exist': 1,
      'closed for good': 1,
      'outside the United Kingdom': 2,
      'not readable': 1,
    },
    unreadable: [10],
    resumedAfter: 0,
  });
  const rows = await stored('d4e59dbf-');
  expect(rows).toMatchObject([
    {
      sourceId: 'ovt-d4e59dbf-0000-4000-8000-000000000000',
      name: 'Parquet Bakery 0',
      categories: ['bakery', 'food_and_drink', 'coffee_shop'],
      address: '0 Mill Lane',
      town: 'Leeds',
      postcode: 'LS1 2AB',
      phone: '+441134960123',
      website: 'https://bakery.example',
      email: 'hello0@bakery.example',
      latitude: 53.8001,
      longitude: -1.5482,
      businessStatus: 'OPERATIONAL',
    },
    { name: 'Parquet Bakery 1' },
    { name: 'Parquet Bakery 10', categories: ['bakery'], phone: null, website: null, address: null },
    { name: 'Parquet Bakery 12', categories: ['bakery', 'coffee_shop'], address: null, phone: null },
  ]);
  expect(rows[1]?.latitude, 'without a point the box counts').toBeCloseTo(53.8001, 5);
});

test('lists are complete across small pages and row groups', async () => {
  const many = Array.from({ length: 1_300 }, (_, number) =>
    bakery(`many-${number}`, {
      phones:
        number % 3 ? Array.from({ length: number % 3 }, (_none, nth) => `+44113496${1_000 + number}${nth}`) : null,
      taxonomy: { primary: 'bakery', hierarchy: Array.from({ length: number % 5 }, (_none, nth) => `level-${nth}`) },
    }),
  );
  const file = await writeParquet('many.parquet', [many.slice(0, 700), many.slice(700)], [], 300);
  const shares: number[] = [];
  const report = await loadPlaces(t.db, file, (_, share) => shares.push(share));
  expect(report).toMatchObject({ read: 1_300, kept: 1_300 });
  expect(shares).toEqual([500, 1_000, 1_300].map((rows) => rows / 1_300));
  const rows = await stored('bakery-many-');
  expect(rows.map(({ phone }) => phone)).toEqual(many.map(({ phones }) => phones?.[0] ?? null));
  expect(rows.map(({ categories }) => categories.length)).toEqual(
    many.map(({ taxonomy }) => 1 + (taxonomy?.hierarchy?.length ?? 0)),
  );
});

test('a truncated, empty or foreign file is refused before anything is stored', async () => {
  const truncate = join(folder, 'cut.parquet');
  copyFileSync(BY_ARROW, truncate);
  truncateSync(truncate, statSync(truncate).size - 100);
  await expect(loadPlaces(t.db, truncate)).rejects.toThrow(/cut\.parquet is not a whole Parquet file/);
  const empty = join(folder, 'empty.parquet');
  writeFileSync(empty, '');
  await expect(loadPlaces(t.db, empty)).rejects.toThrow(/is not a whole Parquet file/);
  const other = join(folder, 'other.parquet');
  writeFileSync(other, '{"type":"FeatureCollection","features":[]}\n'.repeat(100));
  await expect(loadPlaces(t.db, other)).rejects.toThrow(/is not a whole Parquet file/);
  const lying = join(folder, 'lying.parquet');
  writeFileSync(lying, Buffer.concat([Buffer.alloc(50, 7), Buffer.from([40, 0, 0, 0]), Buffer.from('PAR1')]));
  await expect(loadPlaces(t.db, lying)).rejects.toThrow(/is not a whole Parquet file/);
});

test('a file without required columns is refused with their names', async () => {
  const nameless = await writeParquet('nameless.parquet', [[bakery('nameless')]], ['names', 'id']);
  await expect(loadPlaces(t.db, nameless)).rejects.toThrow(/has no column id, names\.primary/);
  const nowhere = await writeParquet('nowhere.parquet', [[bakery('nowhere')]], ['geometry', 'bbox']);
  await expect(loadPlaces(t.db, nowhere)).rejects.toThrow(/has no column geometry/);
});

test('all other columns are optional', async () => {
  const others = Object.keys(bakery(0)).filter((name) => !['id', 'names', 'geometry'].includes(name));
  const file = await writeParquet('bare.parquet', [[bakery('bare')]], others as (keyof OverturePlace)[]);
  expect(await loadPlaces(t.db, file)).toMatchObject({ read: 1, kept: 1 });
  expect(await stored('bakery-bare')).toMatchObject([{ name: 'Bakery number bare', categories: [], town: null }]);
});

test('a damaged row group is reported with its row, and earlier batches stay stored', async () => {
  const groups = [1, 2].map((group) => Array.from({ length: 700 }, (_, nth) => bakery(`hurt-${group}-${nth}`)));
  const file = await writeParquet('hurt.parquet', groups);
  const bytes = readFileSync(file);
  const ids = parquetMetadata(new Uint8Array(bytes)).row_groups[1]?.columns[0]?.meta_data;
  const begin = Number(ids?.data_page_offset);
  writeFileSync(file, bytes.fill(0xff, begin, begin + 500));
  await expect(loadPlaces(t.db, file)).rejects.toThrow(/hurt\.parquet cannot be read after row 700: /);
  expect(await t.db.$count(places, like(places.sourceId, 'ovt-bakery-hurt-1-%'))).toBe(500);
  expect(await t.db.$count(places, eq(places.sourceId, 'ovt-bakery-hurt-2-0'))).toBe(0);
});
