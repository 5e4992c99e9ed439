import fc, { constantFrom, date, double, integer, string, subarray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addChoices, countRoom, hasTooManyChoices, listUnknownLabels } from './add-choices.ts';
import type { OwnValue } from './field-type.ts';
import { FIELD_TYPE_KEYS, type FieldTypeKey } from './field-types.ts';
import {
  checkValue,
  formatValue,
  joinValue,
  mergeChoices,
  newOwnField,
  type OwnField,
  readValue,
  writeValue,
} from './own-field.ts';

const CHOICES = ['Acme', 'Böhm & Co, Ltd', 'none'].map((label, nth) => ({
  id: String(nth + 1),
  label,
  retired: label === 'none',
}));
const IDS = CHOICES.map(({ id }) => id);

const aField = (type: FieldTypeKey, field: Partial<OwnField> = {}): OwnField => ({
  id: 1,
  ...{ name: 'Extra', type, help: '', unit: type === 'number' ? 'kW' : '' },
  choices: type === 'choice' || type === 'choices' ? CHOICES : [],
  ...{ requiredToWin: false, inProfile: true, inTable: true, onCard: false, inForm: false, archived: false },
  ...field,
});

const decimals = (max: number, digits: number) =>
  double({ min: -max, max, noNaN: true }).map((value) => Number(value.toFixed(digits)));

/** Any value that a client may send. A type without an entry does not compile. */
const VALUES = {
  text: string({ unit: 'grapheme', maxLength: 200 }),
  long_text: string({ unit: 'grapheme', maxLength: 500 }).map((value) => value.replaceAll(' ', '\n')),
  number: decimals(999_999_999_999, 3),
  money: decimals(9_999_999_999, 2),
  date: date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((day) =>
    day.toISOString().slice(0, 10),
  ),
  yes_no: constantFrom(true, false),
  choice: constantFrom(...IDS),
  choices: subarray(IDS, { minLength: 1 }),
  link: integer({ min: 0 }).map((n) => `https://example.com/${n}?q=é&r=1#x`),
} satisfies Record<FieldTypeKey, { generate: unknown }>;

describe.each(FIELD_TYPE_KEYS)('%s', (type) => {
  const field = aField(type);

  test('any value that is accepted is stored unchanged, and comes back from its text', () => {
    fc.assert(
      fc.property(VALUES[type] as ReturnType<typeof constantFrom<OwnValue[]>>, (sent) => {
        const checked = checkValue(field, sent);
        if ('error' in checked || checked.value === null) return;
        const { value } = checked;
        expect(checkValue(field, JSON.parse(JSON.stringify(value)))).toEqual({ value });
        expect(readValue(field, writeValue(field, value))).toEqual({ value });
        expect(joinValue(field, value, value)).toEqual(value);
        expect(formatValue(field, value, { timeZone: 'Europe/London', currency: 'GBP' })).not.toBe('');
      }),
    );
  });

  test('the empty text is no value', () => {
    expect(readValue(field, ' ')).toEqual({ value: null });
    expect(checkValue(field, null)).toEqual({ value: null });
  });

  test('a value of another type is refused by the name of the field', () => {
    const wrong = checkValue(field, type === 'yes_no' ? 'perhaps' : { deep: true });
    expect(wrong).toEqual({ error: expect.stringMatching(/Extra|Invalid/) });
  });
});

test.each<[FieldTypeKey, string, OwnValue]>([
  ['number', '1,500 kW', 1500],
  ['number', '-0.5', -0.5],
  ['money', '£1,500.50', 1500.5],
  ['money', '20 EUR', 20],
  ['date', '31/3/2026', '2026-03-31'],
  ['date', '1.12.2026', '2026-12-01'],
  ['yes_no', 'TRUE', true],
  ['yes_no', 'n', false],
  ['choice', ' acme', '1'],
  ['choices', 'none; Acme', ['1', '3']],
  ['link', 'example.com/menu', 'https://example.com/menu'],
])('a %s is read from %j', (type, text, value) => {
  expect(readValue(aField(type), text)).toEqual({ value });
});

test.each<[FieldTypeKey, string, string]>([
  ['text', 'x'.repeat(201), 'Extra must be at most 200 characters'],
  ['long_text', 'x'.repeat(2_001), 'Extra must be at most 2000 characters'],
  ['number', 'many', 'Extra must be a number such as 1500'],
  ['number', '1.2345', 'Extra must have at most 3 decimals'],
  ['number', '1000000000000', 'Extra must be at most 999,999,999,999'],
  ['money', '1.234', 'Extra must have at most 2 decimals'],
  ['date', '31/2/2026', 'Extra must be a date such as 2026-03-31'],
  ['date', '1899-12-31', 'Extra must be from 1900 to 2099'],
  ['yes_no', 'perhaps', 'Extra must be Yes or No'],
  ['choice', 'Umbrella', 'Extra must be one of: Acme, Böhm & Co, Ltd'],
  ['choices', 'Acme; Umbrella', 'Extra must be some of: Acme, Böhm & Co, Ltd'],
  ['link', 'not a link', 'Extra must be a web address such as https://example.com'],
])('a %s is not %j', (type, text, error) => {
  expect(readValue(aField(type), text)).toEqual({ error });
});

test.each<[FieldTypeKey, OwnValue, string]>([
  ['number', 1500.5, '1,500.5 kW'],
  ['money', 49.5, '£49.50'],
  ['money', 1500, '£1,500'],
  ['date', '2026-03-31', 'Mar 31, 2026'],
  ['yes_no', true, 'Yes'],
  ['choice', '3', 'none'],
  ['choices', ['3', '1'], 'Acme, none'],
  ['choice', '9', '9'],
])('a %s %j is shown as %s', (type, value, shown) => {
  expect(formatValue(aField(type), value, { timeZone: 'Europe/London', currency: 'GBP' })).toBe(shown);
});

test('of two leads, the kept value stays, and several choices are joined', () => {
  expect(joinValue(aField('text'), 'kept', 'other')).toBe('kept');
  expect(joinValue(aField('choices'), ['3'], ['1', '3'])).toEqual(['1', '3']);
});

test('a choice keeps its id when it is renamed, and one that is left out is no longer offered', () => {
  const stored = mergeChoices([], [{ label: 'A' }, { label: 'B' }]);
  expect(stored.map(({ id, label }) => id + label)).toEqual(['1A', '2B']);
  const changed = mergeChoices(stored, [{ label: 'C' }, { id: '2', label: 'Bee' }]);
  expect(changed).toEqual([
    { id: '3', label: 'C', retired: false },
    { id: '2', label: 'Bee', retired: false },
    { id: '1', label: 'A', retired: true },
  ]);
  expect(mergeChoices(changed, [{ label: 'a' }])[0], 'offered again').toEqual({ id: '1', label: 'a', retired: false });
});

test('the names in a file that are no choices can be added, up to a limit', () => {
  const field = aField('choices');
  expect(listUnknownLabels(field, 'acme; Umbrella ;none; x\u0000;')).toEqual(['Umbrella']);
  expect(listUnknownLabels(aField('choice'), 'Umbrella')).toEqual(['Umbrella']);
  expect(listUnknownLabels(aField('choice'), 'x'.repeat(51))).toEqual([]);
  expect(listUnknownLabels(aField('text'), 'Umbrella')).toEqual([]);

  const choices = addChoices(field, ['NONE', 'Umbrella', 'acme']);
  expect(choices.map(({ id, label, retired }) => [id, label, retired])).toEqual([
    ...[['1', 'Acme', false] as const, ['2', 'Böhm & Co, Ltd', false] as const],
    ...[['3', 'NONE', false] as const, ['4', 'Umbrella', false] as const],
  ]);
  expect([countRoom(field), countRoom({ choices })]).toEqual([48, 46]);
  const many = (count: number) =>
    addChoices(
      { choices },
      Array.from({ length: count }, (_, nth) => `New ${nth}`),
    );
  expect([hasTooManyChoices(many(46)), hasTooManyChoices(many(47))]).toEqual([false, true]);
});

const toChoices = (count: number) => Array.from({ length: count }, (_, nth) => ({ label: `Choice ${nth}` }));

test('a field can have 50 choices', () => {
  expect(newOwnField.safeParse({ name: 'Extra', type: 'choice', choices: toChoices(50) }).success).toBe(true);
});

test.each([
  [{ name: 'Email' }, 'Highstreet has a field of this name already'],
  [{ name: ' ' }, 'Please enter a name'],
  [{ type: 'choice' }, 'Please enter at least one choice'],
  [{ type: 'choice', choices: [{ label: 'A' }, { label: 'a ' }] }, 'Two choices have the same name'],
  [{ type: 'choice', choices: [{ label: 'A;B' }] }, 'A choice must not contain a semicolon'],
  [{ type: 'choice', choices: toChoices(51) }, 'A field can have at most 50 choices'],
])('%j is refused: %s', (part, message) => {
  const parsed = newOwnField.safeParse({ name: 'Extra', type: 'text', ...part });
  expect(parsed.error?.issues[0]?.message).toBe(message);
});
