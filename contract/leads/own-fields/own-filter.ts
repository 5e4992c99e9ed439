import { z } from 'zod';
import { line, MAX_ID } from '../../fields.ts';
import { OPERATORS, type Operator } from './field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES } from './field-types.ts';
import { checkValue, type OwnField } from './own-field.ts';

// Filters and orders of a list by the team's own fields.

const MAX_CONDITIONS = 20;
const MAX_OPERANDS = 50;
const MAX_OPERAND = 200;
/** Of all conditions of a list, as a parameter. */
export const MAX_CONDITIONS_TEXT = 2_000;

const operand = z.union([
  line(MAX_OPERAND)
    .min(1)
    // Half of a surrogate pair, which the database refuses.
    .refine((text) => !/\p{Surrogate}/u.test(text)),
  z.number(),
  z.boolean(),
]);
export type Operand = z.output<typeof operand>;

/** What of a field a lead must have. Of several operands, it has any. */
export interface OwnCondition {
  fieldId: number;
  operator: Operator;
  operands: Operand[];
}

const fieldId = z.number().int().min(1).max(MAX_ID);
const operator = z.enum(OPERATORS);
const operands = z.union([operand, z.array(operand).min(1).max(MAX_OPERANDS)]);
const conditions = z
  .array(z.union([z.tuple([fieldId, operator]), z.tuple([fieldId, operator, operands])]))
  .max(MAX_CONDITIONS);

/** The conditions in a parameter, `[[12,"is",["1","3"]],[13,"from","2026-01-01"],[14,"empty"]]`; undefined where it has others. */
export function parseConditions(text: string): OwnCondition[] | undefined {
  const parsed = conditions.safeParse(parseJson(text));
  return parsed.data?.map(([fieldId, operator, ...given]) => ({ fieldId, operator, operands: given.flat() }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that `parseConditions` reads; empty for none. */
export const formatConditions = (conditions: readonly OwnCondition[]): string =>
  conditions.length ? JSON.stringify(conditions.map(toTuple)) : '';

function toTuple({ fieldId, operator, operands }: OwnCondition) {
  if (!operands.length) return [fieldId, operator];
  return [fieldId, operator, operands.length === 1 ? operands[0] : operands];
}

export const listOperators = ({ type }: Pick<OwnField, 'type'>): Operator[] => [
  ...FIELD_TYPES[type].operators,
  'empty',
  'not_empty',
];

/** For programs: what the API's description says of conditions as a parameter. */
export const describeOwnConditions = () => ({
  description: [
    "Conditions on the team's own fields, as JSON: a list of [field, operator] or [field, operator, value], or with a list of values",
    `in place of one. A lead has all conditions, and any of the values of each. At most ${MAX_CONDITIONS} conditions, ${MAX_OPERANDS} values in each.`,
    'GET /api/own-fields lists the fields with their ids, types and choices. The operators of each type:',
    `${FIELD_TYPE_KEYS.map((type) => `${type}: ${FIELD_TYPES[type].operators.join(', ')}`).join('; ')};`,
    'and of all: empty, not_empty. A value is as a lead has it: a text, a number, a day such as "2027-03-31", true or false, the id of a',
    'choice; contains takes a part of the text, in small or capital letters. from and to include their value. is_not and has_not include',
    'leads without a value.',
  ].join(' '),
  example: '[[12,"is_not",["1","3"]],[13,"from",50],[13,"to",100],[14,"has","2"],[15,"empty"]]',
});

/** How many operands an operator has, at least and at most. */
const OPERAND_COUNT: Record<Operator, readonly [number, number]> = {
  contains: [1, 1],
  is: [1, MAX_OPERANDS],
  is_not: [1, MAX_OPERANDS],
  has: [1, MAX_OPERANDS],
  has_not: [1, MAX_OPERANDS],
  from: [1, 1],
  to: [1, 1],
  empty: [0, 0],
  not_empty: [0, 0],
};

/**
 * Why a list cannot be filtered by a condition; undefined where it can. Leads keep the values of an archived field, so that
 * a saved view by it shows the same leads as before.
 */
export function findInvalidCondition(
  conditions: readonly OwnCondition[],
  fields: readonly OwnField[],
): string | undefined {
  for (const condition of conditions) {
    const field = fields.find(({ id }) => id === condition.fieldId);
    const message = field ? checkCondition(field, condition) : 'The list is filtered by a field that no longer exists';
    if (message) return message;
  }
  return undefined;
}

function checkCondition(field: OwnField, { operator, operands }: OwnCondition): string | undefined {
  const [min, max] = OPERAND_COUNT[operator];
  const isPossible = listOperators(field).includes(operator) && operands.length >= min && operands.length <= max;
  if (!isPossible) return `A list cannot be filtered by ${field.name} in this way`;
  for (const operand of operands) {
    const message = checkOperand(field, operator, operand);
    if (message) return message;
  }
  return undefined;
}

/** An operand is a value of the field, a choice of it, or a part of its text. */
function checkOperand(field: OwnField, operator: Operator, operand: Operand): string | undefined {
  if (operator === 'contains') return typeof operand === 'string' ? undefined : `${field.name} is compared with a text`;
  const checked = checkValue(field, operator === 'has' || operator === 'has_not' ? [operand] : operand);
  return 'error' in checked ? checked.error : undefined;
}

/** Without the conditions on fields that are gone: of a view that was saved before, the others remain. */
export const keepKnownConditions = (text: string, fields: readonly OwnField[]): string =>
  formatConditions((parseConditions(text) ?? []).filter(({ fieldId }) => fields.some(({ id }) => id === fieldId)));

/** The order of a list by a field, named as its column of the table. */
export type OwnSort = `field${number}` | `field${number}-desc`;

const OWN_SORT = /^field([1-9][0-9]{0,8})(-desc)?$/;

export const ownSort = z
  .string()
  .regex(OWN_SORT)
  .transform((text) => text as OwnSort); // as the pattern says

export const toOwnSorts = (fieldId: number) =>
  [`field${fieldId}`, `field${fieldId}-desc`] as const satisfies [OwnSort, OwnSort];

/** Undefined for an order by a field of Highstreet. */
export function parseOwnSort(sort: string): { fieldId: number; descending: boolean } | undefined {
  const [, fieldId, descending] = OWN_SORT.exec(sort) ?? [];
  return fieldId ? { fieldId: Number(fieldId), descending: descending !== undefined } : undefined;
}
