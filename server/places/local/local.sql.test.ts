import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { places } from '#server/schema/places.ts';
import { LEEDS } from '#server/testing/fake-providers/bakeries.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { type AreaQuery, findCentre, findMatching, findPlaces } from './local.sql.ts';
import { localProvider } from './local.ts';
import { buildMatches } from './local-matches.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

const query = {
  businessType: 'Bakery',
  location: 'Leeds',
  method: 'textSearch',
  centre: LEEDS,
  radiusMetres: 5_000,
  keyword: null,
  openNow: false,
  minPrice: null,
  maxPrice: null,
  sortBy: 'relevance',
  maxResults: 20,
} as const;

/** The plan without sequential scans, which the planner prefers for small tables. */
const explain = (statement: ReturnType<typeof sql>) =>
  t.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute<Record<string, string>>(sql`explain ${statement}`);
    return rows.map((row) => Object.values(row)[0]).join('\n');
  });

test.each(['Bakery', 'coffee roasters', 'ox'])('a search for %s uses an index', async (businessType) => {
  const request = { ...query, businessType };
  for (const match of buildMatches(request)) {
    const plan = await explain(findMatching(t.db, request, match, { limit: 20, excluded: [] }).getSQL());
    expect(plan).toMatch(/places_cell_idx|places_categories_idx|places_name_idx/);
    expect(plan).not.toMatch(/Seq Scan/);
  }
});

const found = async (businessType: string, more: Partial<AreaQuery> = {}) => {
  const { rows, notices } = await findPlaces(t.db, { ...query, businessType, ...more }, 20);
  return { names: rows.map(({ name }) => name), notices };
};

test('category matches come before name matches, similar names last, without duplicates', async () => {
  const at = (name: string, categories: string[], nth: number) => ({
    ...{ source: 'csv', sourceId: `csv-${name}`, name, categories },
    ...{ latitude: LEEDS.latitude + nth / 1_000, longitude: LEEDS.longitude },
  });
  await t.db
    .insert(places)
    .values([
      at('Zither Shop', ['zither_shop'], 5),
      at('Zither Shop & Café', ['cafe'], 1),
      at('The Zithers Shops', ['museum'], 2),
      at('Zithr Shop', ['museum'], 3),
      at('Ox', ['pub'], 4),
    ]);
  expect(await found('zither shops')).toEqual({ names: ['Zither Shop', 'The Zithers Shops'], notices: [] });
  expect((await found('zither shop')).names).toEqual(['Zither Shop', 'Zither Shop & Café', 'The Zithers Shops']);
  expect((await found('zither shop', { method: 'findPlace' })).names).toHaveLength(3);
  expect((await found('ziither shop', { method: 'findPlace' })).names, 'only alike').toContain('Zither Shop');
  expect((await found('ox', { method: 'findPlace' })).names, 'two letters').toContain('Ox');
  expect((await found('%_', { method: 'findPlace' })).names, 'no pattern').toEqual([]);
});

test('in a wide circle, better matches further away are found too', async () => {
  const at = (name: string, kilometres: number, more: Partial<typeof places.$inferInsert> = {}) => ({
    ...{ source: 'csv', sourceId: `csv-${name}`, name, categories: ['organ_builder'], longitude: LEEDS.longitude },
    ...{ latitude: LEEDS.latitude + kilometres / 111, ...more },
  });
  await t.db
    .insert(places)
    .values([
      ...Array.from({ length: 25 }, (_, nth) => at(`Near ${nth}`, 1 + nth / 10)),
      at('Far', 30),
      at('Beside', 0.5, { categories: ['piano_shop', 'organ_builder'] }),
    ]);
  const wide = { radiusMetres: 40_000 };
  const near = Array.from({ length: 20 }, (_, nth) => `Near ${nth}`);
  expect((await found('organ builder', wide)).names, 'those of another kind first come last').toEqual(near);
  const byDistance = await found('organ builder', { ...wide, sortBy: 'distance' });
  expect(byDistance.names).toEqual(['Beside', ...near.slice(0, 19)]);

  await t.db.insert(places).values(at('Rated', 20, { userRatingsTotal: 9, rating: 4 }));
  expect((await found('organ builder', wide)).names).toEqual(['Rated', ...near.slice(0, 19)]);
  for (const sortBy of ['rating', 'prominence'] as const) {
    expect((await found('organ builder', { ...wide, sortBy, method: 'nearbySearch' })).names[0]).toBe('Rated');
  }
});

test('a misspelt type is corrected, with a notice', async () => {
  await t.db.insert(places).values({
    ...{ source: 'csv', sourceId: 'csv-plain', name: 'Plain Name', categories: ['bakery'], ...LEEDS },
  });
  expect(await found('bakrey')).toEqual({ names: ['Plain Name'], notices: ['Results for "Bakery" are included.'] });
  expect(await found('bakery')).toMatchObject({ names: ['Plain Name'], notices: [] });
});

test('towns and postcodes are looked up by an index', async () => {
  expect(await explain(sql`select 1 from places where lower(town) = lower('x')`)).toMatch(/places_town/);
  const like = sql`select 1 from places where replace(upper(postcode), ' ', '') like 'LS1%'`;
  expect(await explain(like)).toMatch(/places_postcode/);
  expect(await findCentre(t.db, 'Nowhere')).toBeNull();
});

test('an outward code does not match longer ones', async () => {
  const at = (postcode: string, latitude: number) => ({
    ...{ source: 'csv', sourceId: `csv-${postcode}`, name: postcode, postcode, latitude, longitude: -1 },
  });
  await t.db.insert(places).values([at('QQ5 1AA', 51), at('QQ5 1AB', 53), at('QQ51 1AA', 58)]);
  expect(await findCentre(t.db, 'QQ5')).toEqual({ latitude: 52, longitude: -1 });
  expect(await findCentre(t.db, 'qq51 1aa')).toEqual({ latitude: 58, longitude: -1 });
  expect(await findCentre(t.db, 'QQ5 9ZZ'), 'where nothing has it, its outward half').toEqual(
    await findCentre(t.db, 'QQ5'),
  );
  expect(await findCentre(t.db, 'QQ6 9ZZ')).toBeNull();
});

test('a price range excludes places without a price, unless no place has one', async () => {
  const centre = { latitude: 60.2, longitude: -1.3 };
  const at = (name: string, category: string, priceLevel: number | null) => ({
    ...{ source: 'csv', sourceId: `csv-${name}`, name, categories: [category], priceLevel },
    ...centre,
  });
  await t.db
    .insert(places)
    .values([
      at('Cheap Harps', 'harp_maker', 1),
      at('Fine Harps', 'harp_maker', 3),
      at('Some Harps', 'harp_maker', null),
      at('Lute Repairs', 'lute_maker', null),
    ]);
  const provider = localProvider({ db: t.db, clock: () => new Date(), timeZone: 'Europe/London' });
  const search = async (businessType: string, minPrice: number, maxPrice: number) => {
    const request = { ...query, businessType, centre, minPrice, maxPrice };
    const response = await provider.search(request, { signal: AbortSignal.timeout(5_000) });
    return { names: response.places.map(({ name }) => name), notices: response.notices.join(' ') };
  };
  expect((await search('harp maker', 0, 2)).names).toEqual(['Cheap Harps']);
  expect((await search('harp maker', 2, 4)).names).toEqual(['Fine Harps']);
  expect((await search('harp maker', 4, 4)).names).toEqual([]);
  const unpriced = await search('lute maker', 1, 2);
  expect(unpriced.names).toEqual(['Lute Repairs']);
  expect(unpriced.notices).toContain('This source has no prices to filter by.');
});

test('open now excludes places without opening hours, unless no place has them', async () => {
  const centre = { latitude: 60.4, longitude: -1.3 };
  const at = (name: string, category: string, openingHours: string | null) => ({
    ...{ source: 'csv', sourceId: `csv-${name}`, name, categories: [category], openingHours },
    ...centre,
  });
  const provider = localProvider({ db: t.db, clock: () => new Date(), timeZone: 'Europe/London' });
  const search = async (businessType: string) => {
    const request = { ...query, businessType, centre, openNow: true };
    const response = await provider.search(request, { signal: AbortSignal.timeout(5_000) });
    return { names: response.places.map(({ name }) => name).sort(), notices: response.notices.join(' ') };
  };
  await t.db.insert(places).values([at('Viol Repairs', 'viol_maker', null), at('Old Viols', 'viol_maker', null)]);
  const without = await search('viol maker');
  expect(without.names, 'nothing around has any').toEqual(['Old Viols', 'Viol Repairs']);
  expect(without.notices).toContain('This source has no opening hours, so all are shown.');
  await t.db
    .insert(places)
    .values([
      at('Open Drums', 'drum_maker', '24/7'),
      at('Shut Drums', 'drum_maker', 'Mo-Su off'),
      at('Some Drums', 'drum_maker', null),
      at('Summer Fifes', 'fife_maker', 'sunrise-sunset'),
      at('Some Fifes', 'fife_maker', null),
    ]);
  expect(await search('drum maker')).toEqual({ names: ['Open Drums'], notices: '' });
  expect(await search('viol maker'), 'only other kinds have').toEqual(without);
  expect((await search('fife maker')).names, 'none that is understood').toEqual(['Some Fifes', 'Summer Fifes']);
});

test('each word of a keyword is in the name or in a category, new categories included', async () => {
  const centre = { latitude: 60.6, longitude: -1.3 };
  const at = (name: string, categories: string[]) => ({
    ...{ source: 'csv', sourceId: `csv-${name}`, name, categories: ['bell_maker', ...categories] },
    ...centre,
  });
  await t.db
    .insert(places)
    .values([at('Golden Bells', []), at('Low Bells', ['golden_goods']), at('High Bells', []), at('50% Bells', [])]);
  const withKeyword = async (keyword: string) => (await found('bell maker', { centre, keyword })).names.sort();
  expect(await withKeyword('gOLDen')).toEqual(['Golden Bells', 'Low Bells']);
  expect(await withKeyword('golden low')).toEqual(['Low Bells']);
  expect(await withKeyword('0%')).toEqual(['50% Bells']);
  expect(await withKeyword('copper')).toEqual([]);
  await t.db
    .update(places)
    .set({ categories: ['bell_maker', 'coppersmith'] })
    .where(sql`name = 'High Bells'`);
  expect(await withKeyword('copper')).toEqual(['High Bells']);
});
