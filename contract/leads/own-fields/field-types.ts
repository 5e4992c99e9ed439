import { z } from 'zod';
import { line, text } from '../../fields.ts';
import { formatDate } from '../../format.ts';
import { formatMoney, stripCurrency } from '../fields/amount.ts';
import { parseWebsite } from '../website.ts';
import type { FieldChoice, FieldOrder, FieldSettings, FieldType, Operator, OwnValue } from './field-type.ts';

const MAX_LINE = 200;
const MAX_TEXT = 2_000;
/** With three decimals, these are numbers that JavaScript stores exactly enough to read them back. */
const MAX_NUMBER = 999_999_999_999;
const MAX_MONEY = 9_999_999_999;
export const FIRST_DATE = '1900-01-01';
const LAST_DATE = '2099-12-31';
const SEPARATOR = ';';

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

const BY_LETTERS: FieldOrder = { by: 'letters', names: ['A to Z', 'Z to A'] };
const BY_SIZE: FieldOrder = { by: 'value', names: ['lowest first', 'highest first'] };
const BY_DAY: FieldOrder = { by: 'value', names: ['earliest first', 'latest first'] };
const BY_ANSWER: FieldOrder = { by: 'value', names: ['No first', 'Yes first'] };
const BY_CHOICE: FieldOrder = { by: 'choices', names: ['first to last', 'last to first'] };

const BY_TEXT: readonly Operator[] = ['contains', 'is', 'is_not'];
const BY_RANGE: readonly Operator[] = ['is', 'is_not', 'from', 'to'];

/** Checks the type, and forgets what kind of value it has: a field is only given values of its own type. */
const type = <V extends OwnValue>(description: FieldType<V>) => description as unknown as FieldType<OwnValue>;

/** Every type that a field of the team can have. */
export const FIELD_TYPES = {
  text: type<string>({
    label: 'Short text',
    setting: null,
    found: 'by words',
    schema: ({ name }) => line(MAX_LINE, name),
    write: (value) => value,
    read: (text) => text,
    format: (value) => value,
    operators: BY_TEXT,
    order: BY_LETTERS,
  }),
  long_text: type<string>({
    label: 'Long text',
    setting: null,
    found: 'by words',
    schema: ({ name }) =>
      text(MAX_TEXT, name)
        .overwrite((value) => value.replaceAll('\r\n', '\n'))
        .trim()
        .refine((value) => !CONTROL.test(value), `${name} must not contain control characters`),
    write: (value) => value,
    read: (text) => text,
    format: (value) => value,
    operators: BY_TEXT,
    order: BY_LETTERS,
  }),
  number: type<number>({
    label: 'Number',
    setting: 'unit',
    schema: ({ name }) => decimal(name, { max: MAX_NUMBER, digits: 3 }),
    write: String,
    read: (text, { unit }) => toNumber(withoutUnit(text, unit).replace(/[\s,]/g, '')),
    format: (value, { unit }) => [value.toLocaleString('en-GB', { maximumFractionDigits: 3 }), unit].join(' ').trim(),
    operators: BY_RANGE,
    order: BY_SIZE,
  }),
  money: type<number>({
    label: 'Money',
    setting: null,
    schema: ({ name }) => decimal(name, { max: MAX_MONEY, digits: 2 }),
    write: String,
    read: (text) => toNumber(stripCurrency(text.trim())),
    format: (value, _, { currency }) => formatMoney(value, currency),
    operators: BY_RANGE,
    order: BY_SIZE,
    adds: true,
  }),
  date: type<string>({
    label: 'Date',
    setting: null,
    schema: ({ name }) =>
      z.iso
        .date({ error: `${name} must be a date such as 2026-03-31`, abort: true })
        .refine((day) => day >= FIRST_DATE && day <= LAST_DATE, `${name} must be from 1900 to 2099`),
    write: (day) => day,
    read: toDay,
    format: (day) => formatDate(`${day}T12:00:00.000Z`, 'UTC'),
    operators: BY_RANGE,
    order: BY_DAY,
  }),
  yes_no: type<boolean>({
    label: 'Yes or no',
    setting: null,
    schema: ({ name }) => z.boolean(`${name} must be Yes or No`),
    write: toYesNo,
    read: (text) => YES_NO.get(text.trim().toLowerCase()),
    format: toYesNo,
    operators: ['is', 'is_not'],
    order: BY_ANSWER,
    group: { operator: 'is', toOperand: (key) => key === 'true' },
  }),
  choice: type<string>({
    label: 'One choice',
    setting: 'choices',
    found: 'by choice',
    schema: (field) => {
      const message = `${field.name} must be one of: ${listLabels(field)}`;
      return z.string(message).refine((id) => findChoice(field, id), message);
    },
    write: toLabel,
    read: (text, field) => findByLabel(field, text)?.id,
    listLabels: (text) => [text],
    format: toLabel,
    operators: ['is', 'is_not'],
    order: BY_CHOICE,
    group: { operator: 'is', toOperand: (id) => id },
  }),
  choices: type<string[]>({
    label: 'Several choices',
    setting: 'choices',
    found: 'by choice',
    schema: (field) => {
      const message = `${field.name} must be some of: ${listLabels(field)}`;
      return z
        .array(z.string(message), message)
        .refine((ids) => ids.every((id) => findChoice(field, id)), message)
        .overwrite(toIdSet);
    },
    write: (ids, field) => listChosen(ids, field).join(`${SEPARATOR} `),
    read: (text, field) => splitLabels(text).map((label) => findByLabel(field, label)?.id),
    listLabels: splitLabels,
    format: (ids, field) => listChosen(ids, field).join(', '),
    operators: ['has', 'has_not'],
    order: BY_CHOICE,
    group: { operator: 'has', toOperand: (id) => id },
    join: (kept, other) => toIdSet([...kept, ...other]),
  }),
  link: type<string>({
    label: 'Web link',
    setting: null,
    found: 'by words',
    schema: ({ name }) => {
      const message = `${name} must be a web address such as https://example.com`;
      return z.string(message).refine((url) => parseWebsite(url) === url, message);
    },
    write: (url) => url,
    read: (text) => parseWebsite(text) ?? undefined,
    format: (url) => url,
    operators: BY_TEXT,
    order: BY_LETTERS,
  }),
};

export type FieldTypeKey = keyof typeof FIELD_TYPES;
export const FIELD_TYPE_KEYS = Object.keys(FIELD_TYPES) as [FieldTypeKey, ...FieldTypeKey[]]; // the keys of a literal

const decimal = (name: string, { max, digits }: { max: number; digits: number }) =>
  z
    .number(`${name} must be a number such as 1500`)
    .refine((value) => Math.abs(value) <= max, `${name} must be at most ${max.toLocaleString('en-GB')}`)
    .refine((value) => Number(value.toFixed(digits)) === value, `${name} must have at most ${digits} decimals`)
    // JSON has no -0.
    .overwrite((value) => value + 0);

const toNumber = (text: string) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined);

function withoutUnit(text: string, unit: string): string {
  const trimmed = text.trim();
  return unit && trimmed.toLowerCase().endsWith(unit.toLowerCase()) ? trimmed.slice(0, -unit.length) : trimmed;
}

/** "31/3/2026" and "31.03.2026" as "2026-03-31". */
function toDay(text: string): string {
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text.trim()) ?? [];
  return day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.trim();
}

const YES_NO = new Map([
  ...['yes', 'y', 'true', '1'].map((text): [string, boolean] => [text, true]),
  ...['no', 'n', 'false', '0'].map((text): [string, boolean] => [text, false]),
]);

function toYesNo(value: boolean): string {
  return value ? 'Yes' : 'No';
}

const findChoice = ({ choices }: FieldSettings, id: string) => choices.find((choice) => choice.id === id);

/** What is no choice any more is still there to be read. */
function toLabel(id: string, field: FieldSettings): string {
  return findChoice(field, id)?.label ?? id;
}

export const isSameLabel = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

const findByLabel = ({ choices }: FieldSettings, label: string): FieldChoice | undefined =>
  choices.find((choice) => isSameLabel(choice.label, label));

function splitLabels(text: string): string[] {
  return text.split(SEPARATOR).filter((label) => label.trim());
}

const listLabels = ({ choices }: FieldSettings) =>
  choices
    .filter(({ retired }) => !retired)
    .map(({ label }) => label)
    .join(', ');

/** In the order in which the field has them. */
const listChosen = (ids: string[], field: FieldSettings) => [
  ...field.choices.filter(({ id }) => ids.includes(id)).map(({ label }) => label),
  ...ids.filter((id) => !findChoice(field, id)),
];

/** One order for one set, so that the same choices are the same value. */
function toIdSet(ids: string[]): string[] {
  return [...new Set(ids)].sort((a, b) => Number(a) - Number(b));
}
