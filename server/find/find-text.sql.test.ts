import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldText } from '#contract/leads/find/fold-text.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { leads } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const readTexts = async (id: number) => {
  const { rows } = await t.db.execute<{ lines: string[]; notes: string | null }>(sql`
    select string_to_array(find_text, E'\n') as lines, note_words::text as notes from user_businesses where id = ${id}`);
  return rows[0];
};

test('the database folds every letter and sign as the contract does', async () => {
  // Latin, Greek and Cyrillic, signs, kana, some Hangul and emoji; not the letters of the latest Unicode versions.
  const ranges: [number, number][] = [
    [0x1, 0x52f],
    [0x1e00, 0x24ff],
    [0x2e00, 0x30ff],
    [0xac00, 0xac40],
    [0xff00, 0xffef],
    [0x1f600, 0x1f64f],
  ];
  const texts = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, nth) => `a${String.fromCodePoint(from + nth)}b`),
  );
  const { rows } = await t.db.execute<{ text: string; folded: string }>(
    sql`select text, fold_text(text) as folded from unnest(${sql.param(texts)}::text[]) text`,
  );
  const different = rows.filter(({ text, folded }) => foldText(text) !== folded);
  expect(different.map(({ text }) => text.codePointAt(1)?.toString(16)).join(' ')).toBe('');
});

test('accents are folded in a database with the locale C, too', async () => {
  const { rows } = await t.db.execute<{ folded: string }>(
    sql`select fold_text('BJÖRK Crème Łódź ÆRØ ẞ Þór Saddler’s' collate "C") as folded`,
  );
  expect(rows[0]?.folded).toBe('bjork creme lodz aero ss thor saddlers');
});

test('the find text follows the business, the contact and the notes of a lead', async () => {
  const lead = await t.lead(
    await t.user(),
    { notes: 'Ring Zoë', customFields: { contactPerson: 'Anna Björk', email: 'anna@x.example' } },
    { name: "Saddler's", town: 'Leeds', formattedAddress: '1 Lane, Leeds ls14ab', phone: '0113 496 0716' },
  );
  expect(await readTexts(lead.id)).toEqual({
    lines: [' saddlers ', ' leeds ls1 4ab 01134960716 ', ' anna bjork anna x example '],
    notes: "'ring' 'zoe'",
  });

  await t.db.execute(sql`update businesses set name = 'Crème', formatted_address = 'York YO1 7HH', phone = null,
    international_phone = '+44 1904 1', town = 'York' where id = ${lead.business.id}`);
  expect((await readTexts(lead.id))?.lines).toEqual([
    ' creme ',
    ' york yo1 7hh 4419041 ',
    ' anna bjork anna x example ',
  ]);

  await t.db.execute(sql`update user_businesses set custom_fields = '{"email": "o''neil@y.example"}', notes = ''
    where id = ${lead.id}`);
  expect(await readTexts(lead.id)).toEqual({
    lines: [' creme ', ' york yo1 7hh 4419041 ', ' oneil y example '],
    notes: null,
  });

  const other = await t.lead(await t.user(), {}, { name: 'Other', town: null, formattedAddress: null, phone: null });
  await t.db.execute(
    sql`update user_businesses set business_id = ${other.business.id}, notes = 'New note' where id = ${lead.id}`,
  );
  expect(await readTexts(lead.id)).toEqual({ lines: [' other ', '  ', ' oneil y example '], notes: "'new' 'note'" });
});

/** A value of each type. A type without one does not compile. */
const VALUES: Record<FieldTypeKey, OwnValue> = {
  text: 'Böhm & Söhne',
  long_text: 'Line one\nline two',
  number: 12,
  money: 49.5,
  date: '2026-03-31',
  yes_no: true,
  choice: '1',
  choices: ['1', '2'],
  link: 'https://example.com/menu',
};

test.each(FIELD_TYPE_KEYS)('the note words have the words of a %s only where leads are found by them', async (type) => {
  const [field] = await t.db
    .insert(ownFields)
    .values({ name: `Found ${type}`, type, position: 1 })
    .returning();
  const id = field?.id ?? 0;
  const isFound = FIELD_TYPES[type].found === 'by words';
  const lead = await t.lead(await t.user(), { notes: 'A note', ownFields: { [id]: VALUES[type] } });
  const inserted = (await readTexts(lead.id))?.notes ?? '';
  expect(inserted.startsWith("'a' 'note'") || inserted.endsWith("'a' 'note'")).toBe(true);
  expect(inserted.includes(`'${id}/`)).toBe(isFound);
  await t.db.execute(sql`update user_businesses set own_fields = '{}' where id = ${lead.id}`);
  expect((await readTexts(lead.id))?.notes).toBe("'a' 'note'");
  await t.db
    .update(leads)
    .set({ notes: '', ownFields: { [id]: VALUES[type] } })
    .where(sql`id = ${lead.id}`);
  expect((await readTexts(lead.id))?.notes ?? null).toEqual(isFound ? expect.stringContaining(`'${id}/`) : null);
});

test('a value that is no text folds nothing', async () => {
  const types = ['text', 'number'] as const;
  const rows = types.map((type, position) => ({ name: `Folded ${type}`, type, position }));
  const [text, number] = (await t.db.insert(ownFields).values(rows).returning()).map(({ id }) => id) as [
    number,
    number,
  ];
  const lead = await t.lead(await t.user(), { ownFields: { [text]: 'Acme', [number]: 1 } });
  // Words that no text has: they stay for as long as nothing is folded.
  await t.db.execute(sql`update user_businesses set note_words = '''kept''' where id = ${lead.id}`);
  await t.db
    .update(leads)
    .set({ ownFields: { [text]: 'Acme', [number]: 2 } })
    .where(sql`id = ${lead.id}`);
  expect((await readTexts(lead.id))?.notes).toBe("'kept'");
  await t.db
    .update(leads)
    .set({ ownFields: { [text]: 'Bolt', [number]: 2 } })
    .where(sql`id = ${lead.id}`);
  expect((await readTexts(lead.id))?.notes).toBe(`'/bolt' '${text}/bolt'`);
});

test('the words that typing errors are corrected by follow the leads, and keep no numbers', async () => {
  const known = async (words: string[]) => {
    const { rows } = await t.db.execute<{ word: string }>(
      sql`select word from find_words where word = any (${sql.param(words)}::text[]) order by word`,
    );
    return rows.map(({ word }) => word);
  };
  const lead = await t.lead(
    await t.user(),
    { customFields: { contactPerson: 'Anna Zimmerly', email: 'anna77@zimmerly.example' } },
    { name: 'Quixotic Inn', town: 'Yarmouthby', phone: '0113 496 0716' },
  );
  expect(await known(['quixotic', 'inn', 'yarmouthby', 'anna', 'anna77', 'zimmerly', '01134960716'])).toEqual([
    'anna',
    'quixotic',
    'yarmouthby',
    'zimmerly',
  ]);
  await t.db.execute(sql`update businesses set name = 'Perplexed' where id = ${lead.business.id}`);
  await t.db.execute(
    sql`update user_businesses set custom_fields = '{"contactPerson": "Bea Oddbody"}' where id = ${lead.id}`,
  );
  const other = await t.lead(await t.user(), {}, { name: 'Wobbegong' });
  await t.db.execute(sql`delete from find_words where word = 'wobbegong'`);
  await t.db.execute(sql`update user_businesses set business_id = ${other.business.id} where id = ${lead.id}`);
  expect(await known(['perplexed', 'oddbody', 'wobbegong'])).toEqual(['oddbody', 'perplexed', 'wobbegong']);
});

test('a change of the status does not fold any text', async () => {
  const lead = await t.lead(await t.user(), { notes: 'A note' });
  const { rows } = await t.db.execute<{ name: string }>(sql`
    select tgname as name from pg_trigger where tgrelid = 'user_businesses'::regclass and not tgisinternal
      and tgtype & 16 > 0 and (cardinality(tgattr::int2[]) = 0 or exists (
        select from pg_attribute where attrelid = tgrelid and attname = 'status' and attnum = any (tgattr::int2[])))`);
  expect(rows).toEqual([]);
  await t.db.update(leads).set({ status: 'recontact' }).where(sql`id = ${lead.id}`);
  expect((await readTexts(lead.id))?.notes).toBe("'a' 'note'");
});
