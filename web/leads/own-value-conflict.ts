import { z } from 'zod';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { type OwnField, ownValueChanges, writeValue } from '#contract/leads/own-fields/own-field.ts';
import { ApiError } from '#web/kit/api.ts';

/** Another user has changed the value meanwhile. It says to what, so that the next attempt replaces what was shown. */
export class OwnValueConflict extends Error {
  readonly current: OwnValue | null;

  constructor(field: OwnField, current: OwnValue | null) {
    const theirs = current === null ? 'cleared it' : `changed it to “${writeValue(field, current)}”`;
    super(`Another user has ${theirs} meanwhile. Save again to replace that.`);
    this.current = current;
  }
}

/** The refusal has the current value. */
const staleBody = z.object({ current: ownValueChanges });

/** The refusal of a value that has changed as a conflict; any other error as it is. */
export function toOwnValueConflict(error: unknown, field: OwnField): unknown {
  if (!(error instanceof ApiError && error.code === 'stale_field')) return error;
  const parsed = staleBody.safeParse(error.body);
  return new OwnValueConflict(field, parsed.data?.current[field.id] ?? null);
}
