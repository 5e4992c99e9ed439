import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFields } from '#server/schema/own-fields.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { matchesText } from './matches-text.sql.ts';

let t: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp();
  holder = await t.user();
  const names = [
    'Baж',
    'xBa',
    'Ba',
    "B'a",
    'Ba9',
    'ba-ba',
    'жbaж',
    'b a',
    'BÁ',
    'Cab',
    'Thigh Street',
    'FA65AA',
    'High LS10',
    '1ba %',
  ];
  for (const name of names) {
    await t.lead(
      holder,
      { notes: 'Ring back' },
      { name, town: 'Bath', formattedAddress: 'FA6 5AA', phone: '0113 4960716' },
    );
  }
  const [field] = await t.db.insert(ownFields).values({ name: 'Menu', type: 'text', position: 1 }).returning();
  await t.lead(holder, { ownFields: { [field?.id ?? 0]: 'Bath buns, zzz' } }, { name: 'Menu', town: 'York' });
  await t.lead(holder, {}, { name: 'Abacus', town: 'Ely', formattedAddress: null, phone: null });
});
afterAll(() => t.close());

const namesFound = async (text: string, lookedUp?: string[]) => {
  const { rows } = await t.db.execute<{ name: string }>(sql`
    select business_name as name from user_businesses lead
    where lead.user_id = ${holder.id} and ${matchesText(text, lookedUp)} order by name`);
  return rows.map(({ name }) => name);
};

test.each([
  ...[
    'ba',
    'BA',
    'bж',
    'b',
    '9',
    'a ',
    "b'a",
    '-b',
    'a-',
    'a %',
    'bá',
    'ba ba',
    'a9',
    'el',
    'high street',
    'igh str',
    'fa6',
  ],
  ...[
    'fa65aa',
    'high ls1',
    'ring back',
    'ab ring',
    'ba ring',
    'bath back',
    'bun york',
    '0716',
    '0113 4960716',
    'bac',
    'zz',
    'zzz',
  ],
])('"%s" matches the same leads, whether it is looked up or compared', async (text) => {
  expect(await namesFound(text)).toEqual(await namesFound(text, []));
});

test('a pair of letters is found in every name that has it, whatever comes after it', async () => {
  const found = await namesFound('ba', ['ba']);
  expect(found).toEqual(expect.arrayContaining(['Baж', 'xBa', 'Ba', 'Ba9', 'ba-ba', 'жbaж', '1ba %', 'Abacus']));
});
