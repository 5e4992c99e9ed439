import { z } from 'zod';
import { line } from '../../fields.ts';
import type { TeamFormat } from '../../format.ts';
import { LEAD_FIELDS } from '../fields/lead-fields.ts';
import type { FieldChoice, OwnValue } from './field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, isSameLabel } from './field-types.ts';

/** Archived ones included. */
export const MAX_OWN_FIELDS = 40;
export const MAX_CHOICES = 50;
/** With those that are no longer offered. */
export const MAX_STORED_CHOICES = 200;
export const MAX_CHOICE_LENGTH = 50;

export const choiceLabel = line(MAX_CHOICE_LENGTH, 'A choice')
  .min(1, 'A choice must not be empty')
  // It separates several choices in files.
  .refine((label) => !label.includes(';'), 'A choice must not contain a semicolon');

const choice = z.strictObject({ id: z.string(), label: z.string(), retired: z.boolean() });

export const fieldTypeKey = z.enum(FIELD_TYPE_KEYS);

/** What an administrator decides about a field, besides its type and its choices. */
const settings = {
  name: line(60, 'Name')
    .min(1, 'Please enter a name')
    .refine((name) => !isBuiltIn(name), 'Highstreet has a field of this name already'),
  help: line(200, 'Help text'),
  unit: line(20, 'Unit'),
  /** A lead is closed as won only with a value. */
  requiredToWin: z.boolean(),
  inProfile: z.boolean(),
  inTable: z.boolean(),
  onCard: z.boolean(),
  /** Asked for when a business is added by hand. */
  inForm: z.boolean(),
};

/** A field of the team's own. Leads have its values by its id, so that it can be renamed. */
export const ownField = z.strictObject({
  id: z.number(),
  ...settings,
  // A name that became one of Highstreet's own with a later version stays.
  name: z.string(),
  type: fieldTypeKey,
  choices: z.array(choice),
  /** Hidden, with its values kept. */
  archived: z.boolean(),
});
export type OwnField = z.infer<typeof ownField>;

/** The offered choices in their order; one without an id is new. A stored one that is left out is no longer offered. */
const offeredChoices = z
  .array(z.strictObject({ id: z.string().optional(), label: choiceLabel }))
  .max(MAX_CHOICES, `A field can have at most ${MAX_CHOICES} choices`)
  .refine(hasNoRepetition, 'Two choices have the same name');
export type OfferedChoice = z.infer<typeof offeredChoices>[number];

export const newOwnField = z
  .strictObject({
    name: settings.name,
    type: fieldTypeKey,
    help: settings.help.default(''),
    unit: settings.unit.default(''),
    choices: offeredChoices.default([]),
    requiredToWin: settings.requiredToWin.default(false),
    inProfile: settings.inProfile.default(true),
    inTable: settings.inTable.default(true),
    onCard: settings.onCard.default(false),
    inForm: settings.inForm.default(false),
  })
  .refine(({ type, choices }) => FIELD_TYPES[type].setting !== 'choices' || choices.length > 0, {
    path: ['choices'],
    message: 'Please enter at least one choice',
  });
export type NewOwnField = z.output<typeof newOwnField>;

export const ownFieldChanges = z
  .strictObject({ ...settings, choices: offeredChoices.min(1, 'Please enter at least one choice') })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Please send what to change');
export type OwnFieldChanges = z.output<typeof ownFieldChanges>;

export const ownValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
/** The values of a lead, by the ids of its fields. */
export const ownValues = z.record(z.string(), ownValue);
export type OwnValues = z.infer<typeof ownValues>;

/** What is set of the values of a lead, by the ids of its fields; null clears. The type of each field has its own limits. */
export const ownValueChanges = z
  .record(z.string().regex(/^[1-9][0-9]{0,8}$/, 'must be the id of a field'), ownValue.nullable())
  .refine((values) => Object.keys(values).length <= MAX_OWN_FIELDS, 'These are more fields than a team can have');
export type OwnValueChanges = z.infer<typeof ownValueChanges>;

const typeOf = ({ type }: Pick<OwnField, 'type'>) => FIELD_TYPES[type];

type Checked = { value: OwnValue | null } | { error: string };

/** The value as it is stored; null for none. */
export function checkValue(field: OwnField, value: unknown): Checked {
  if (isEmpty(value)) return { value: null };
  const parsed = typeOf(field).schema(field).safeParse(value);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? `${field.name} is not valid` };
  return { value: isEmpty(parsed.data) ? null : parsed.data };
}

/** The value that a text of a file or of an input means. */
export const readValue = (field: OwnField, text: string): Checked =>
  text.trim() ? checkValue(field, typeOf(field).read(text, field) ?? INVALID) : { value: null };

/** No type has such a value. */
const INVALID = Symbol('a text without a value');

const isEmpty = (value: unknown) =>
  value === null || (typeof value === 'string' && !value.trim()) || (Array.isArray(value) && !value.length);

/** The text that `readValue` reads; empty where there is no value. */
export const writeValue = (field: OwnField, value: OwnValue | undefined): string =>
  value === undefined ? '' : typeOf(field).write(value, field);

export const formatValue = (field: OwnField, value: OwnValue, team: TeamFormat): string =>
  typeOf(field).format(value, field, team);

/** The value of a lead that two leads become. */
export const joinValue = (field: OwnField, kept: OwnValue, other: OwnValue): OwnValue =>
  typeOf(field).join?.(kept, other) ?? kept;

/** Whether `joinValue` loses nothing of either value. */
export const joinsBoth = (field: OwnField) => typeOf(field).join !== undefined;

/** Why a lead with these values cannot be closed as won; undefined where it can. */
export function findMissingToWin(fields: readonly OwnField[], values: OwnValues): string | undefined {
  const missing = fields.filter(({ id, requiredToWin, archived }) => requiredToWin && !archived && !(id in values));
  if (!missing.length) return undefined;
  const names = missing.map(({ name }) => `“${name}”`).join(', ');
  return `${names} ${missing.length === 1 ? 'is' : 'are'} needed to close a lead as won`;
}

/** The choices that are stored, in the order of those that are offered; the others follow, no longer offered. */
export function mergeChoices(stored: readonly FieldChoice[], offered: readonly OfferedChoice[]): FieldChoice[] {
  let last = Math.max(0, ...stored.map(({ id }) => Number(id)));
  const kept = offered.map(({ id, label }): FieldChoice => {
    // A label that was in use before is the same choice.
    const old = stored.find((each) => (id === undefined ? isSameLabel(each.label, label) : each.id === id));
    if (!old) last += 1;
    return { id: old?.id ?? String(last), label, retired: false };
  });
  const others = stored.filter(({ id }) => !kept.some((each) => each.id === id));
  return [...kept, ...others.map((old) => ({ ...old, retired: true }))];
}

export function hasNoRepetition(choices: readonly { label: string }[]): boolean {
  return hasNoRepeatedText(choices.map(({ label }) => label));
}

export function hasNoRepeatedText(texts: readonly string[]): boolean {
  return new Set(texts.map((text) => text.trim().toLowerCase())).size === texts.length;
}

/** Files are imported by these names. */
const BUILT_IN = new Set(
  Object.values(LEAD_FIELDS).flatMap(({ label, table, imported, exported }) =>
    [label, table?.label, imported?.column, exported].flatMap((name) => name?.toLowerCase() ?? []),
  ),
);

function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name.toLowerCase());
}
