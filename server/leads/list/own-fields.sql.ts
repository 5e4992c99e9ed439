import { type SQL, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import type { FieldOrder, OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { findInvalidCondition, type OwnCondition, parseConditions } from '#contract/leads/own-fields/own-filter.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findField, listFields } from '#server/own-fields/own-fields.sql.ts';

/** Refuses a filter by a field that is gone, or that is not filtered like this. */
export async function requireOwnConditions(db: Db, { own }: Pick<LeadFilter, 'own'>): Promise<void> {
  const message = await findInvalid(db, own);
  if (message) throw invalid('own', message);
}

/** Whether a stored filter still says what it said. */
export const hasValidConditions = async (db: Db, { own }: Pick<LeadFilter, 'own'>): Promise<boolean> =>
  (await findInvalid(db, own)) === undefined;

const findInvalid = async (db: Db, own: LeadFilter['own']): Promise<string | undefined> =>
  own ? findInvalidCondition(parse(own), await listFields(db)) : undefined;

const invalid = (path: 'own' | 'sort', message: string) =>
  new Refusal('validation_failed', message, { errors: [{ path, message }] });

/** Values are compared as JSON, so that no value of another type can raise an error. */
export const hasOwnValues = (own: string): SQL[] => parse(own).flatMap(toConditions);

/** The schema of the filter has checked it. */
const parse = (own: string): OwnCondition[] => parseConditions(own) ?? [];

const toKey = (fieldId: number): SQL => sql`${String(fieldId)}::text`;
const toValue = (fieldId: number): SQL => sql`lead.own_fields -> ${toKey(fieldId)}`;
const toText = (fieldId: number): SQL => sql`lead.own_fields ->> ${toKey(fieldId)}`;
const toJson = (value: OwnValue): SQL => sql`${JSON.stringify(value)}::jsonb`;

function toConditions({ fieldId, operator, operands }: OwnCondition, _: number, all: readonly OwnCondition[]): SQL[] {
  const [operand = ''] = operands;
  switch (operator) {
    case 'contains':
      return [sql`strpos(search_text(${toText(fieldId)}), search_text(${String(operand)})) > 0`];
    case 'is':
      return hasAnyOf(fieldId, operands);
    case 'is_not':
      return [sql`not (${isAnyOf(fieldId, operands)})`];
    case 'has':
      return hasAnyOf(fieldId, operands.map(toElement));
    case 'has_not':
      return [sql`not (${isAnyOf(fieldId, operands.map(toElement))})`];
    case 'from': {
      const isOneValue = all.some(
        (other) => other.fieldId === fieldId && other.operator === 'to' && other.operands[0] === operand,
      );
      return isOneValue ? hasAnyOf(fieldId, operands) : [sql`${toValue(fieldId)} >= ${toJson(operand)}`];
    }
    case 'to':
      return [sql`${toValue(fieldId)} <= ${toJson(operand)}`];
    case 'empty':
      return [sql`not (lead.own_fields ? ${toKey(fieldId)})`];
    case 'not_empty':
      return [sql`lead.own_fields ? ${toKey(fieldId)}`];
  }
}

/** Several choices contain a list of one of them. */
const toElement = (operand: OwnCondition['operands'][number]): string[] => [String(operand)];

/** What the index finds. Leads without any value are not in it. */
const hasAnyOf = (fieldId: number, values: readonly OwnValue[]): SQL[] => [
  sql`lead.own_fields <> '{}'`,
  sql`(${isAnyOf(fieldId, values)})`,
];

const isAnyOf = (fieldId: number, values: readonly OwnValue[]): SQL =>
  sql.join(
    values.map((value) => sql`lead.own_fields @> ${JSON.stringify({ [fieldId]: value })}::jsonb`),
    sql` or `,
  );

interface Key {
  key: SQL;
  /** The SQL type of the key. */
  type: SQL;
}

/** What a list is ordered by; null where a lead has no value. */
const KEYS: Record<FieldOrder['by'], (field: OwnField) => Key> = {
  // As the names of businesses.
  letters: ({ id }) => ({ key: sql`left(search_text(${toText(id)}), 100)`, type: sql`text` }),
  value: ({ id }) => ({ key: sql`(${toValue(id)})`, type: sql`jsonb` }),
  // The places of the chosen ones, the first of them first.
  choices: ({ id, choices }) => ({
    key: sql`(select array_agg(place order by place) from (
      select array_position(${sql.param(choices.map((choice) => choice.id))}::text[], chosen) as place
      from jsonb_array_elements_text(${toList(id)}) chosen) places where place is not null)`,
    type: sql`integer[]`,
  }),
};

/** One choice is a list of one. */
const toList = (fieldId: number) => sql`case jsonb_typeof(${toValue(fieldId)})
  when 'array' then ${toValue(fieldId)} when 'string' then jsonb_build_array(${toValue(fieldId)}) end`;

export async function findOwnKey(db: Db, fieldId: number): Promise<Key> {
  const field = await findField(db, fieldId);
  if (!field) throw invalid('sort', 'The list is sorted by a field that no longer exists');
  return KEYS[FIELD_TYPES[field.type].order.by](field);
}
