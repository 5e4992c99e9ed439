import { isDeepStrictEqual } from 'node:util';
import { type FieldError, Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { checkValue, type OwnValueChanges } from '#contract/leads/own-fields/own-field.ts';
import type { Db } from '#server/kit/db/db.ts';
import { staleField } from '#server/leads/sent-later/require-same.ts';
import { lockFieldsForValues } from '#server/own-fields/own-fields.sql.ts';

/**
 * The values as they are stored, by field. Refuses what a field does not take, and every value of an archived field. `at` is
 * where the body has the values.
 */
export const checkOwnValues = (tx: Db, values: OwnValueChanges, at = 'values'): Promise<CheckedValues> =>
  check(tx, values, (fieldId) => `${at}.${fieldId}`);

/** As `checkOwnValues`, for one field. */
export const checkOwnValue = (
  tx: Db,
  { fieldId, value }: { fieldId: number; value: OwnValue | null },
): Promise<CheckedValues> => check(tx, { [fieldId]: value }, () => 'value');

type CheckedValues = Map<number, OwnValue | null>;

async function check(tx: Db, values: OwnValueChanges, toPath: (fieldId: number) => string): Promise<CheckedValues> {
  const ids = Object.keys(values).map(Number);
  const fields = new Map((ids.length ? await lockFieldsForValues(tx, ids) : []).map((field) => [field.id, field]));
  const errors: FieldError[] = [];
  const checked = ids.map((id): [number, OwnValue | null] => {
    const field = fields.get(id);
    if (!field) throw new Refusal('not_found', 'This field no longer exists');
    if (field.archived) {
      throw new Refusal('field_archived', `“${field.name}” was archived, so that it cannot be changed`);
    }
    const result = checkValue(field, values[id]);
    if ('value' in result) return [id, result.value];
    errors.push({ path: toPath(id), message: result.error });
    return [id, null];
  });
  if (errors[0]) throw new Refusal('validation_failed', errors[0].message, { errors });
  return new Map(checked);
}

/** Refuses to replace a value that the client has not seen. The refusal has the current values. */
export function requireSameValues(
  { ownFields }: Lead,
  values: ReadonlyMap<number, OwnValue | null>,
  before: OwnValueChanges = {},
): void {
  const isReplaced = ([id, value]: [number, OwnValue | null]) => {
    const current = ownFields[id] ?? null;
    const seen = before[id];
    return seen !== undefined && !isDeepStrictEqual(current, seen) && !isDeepStrictEqual(current, value);
  };
  if (![...values].some(isReplaced)) return;
  const current = Object.fromEntries([...values.keys()].map((id) => [id, ownFields[id] ?? null]));
  throw staleField(current);
}
