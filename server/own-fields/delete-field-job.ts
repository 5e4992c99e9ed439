import { defineJob, type Step } from '#server/jobs/job-kind.ts';
import { STEP_ITEMS } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { deleteChanges, deleteField, deleteValues, findLeftField } from './own-fields.sql.ts';

export const DELETE_FIELD = 'delete-field';
const HOUR_MS = 3_600_000;

export interface DeletedField {
  fieldId: number;
  /** The last lead of the step before. */
  after: number;
}

/** Deletes the values of a field, then their changes, and last the field. */
export const deleteFieldJob = defineJob<DeletedField>({
  kind: DELETE_FIELD,
  step: async (tx, { input, done, success }) => {
    const { deleted, ...step } = await deleteSome(tx, input);
    return { ...step, done: done + deleted, success: success + deleted };
  },
});

/**
 * Goes on with fields whose job is gone: it is deleted with the account of its user, a restored backup has no jobs, and one
 * that failed again and again was stopped.
 */
export const deleteLeftFieldsJob = defineJob<Partial<DeletedField>>({
  kind: 'delete-left-fields',
  everyMs: HOUR_MS,
  step: async (tx, { input: { after = 0, ...input } }) => {
    const fieldId = input.fieldId ?? (await findLeftField(tx, DELETE_FIELD));
    if (fieldId === undefined) return { end: true };
    const { end, ...step } = await deleteSome(tx, { fieldId, after });
    // There may be another one.
    return end ? { input: {} } : { input: step.input };
  },
});

async function deleteSome(tx: Db, input: DeletedField): Promise<Step<DeletedField> & { deleted: number }> {
  const deleted = await deleteValues(tx, input.fieldId, { after: input.after, limit: STEP_ITEMS });
  if (deleted.length) {
    await publishLeads(tx, deleted);
    return { input: { ...input, after: Math.max(...deleted.map(({ id }) => id)) }, deleted: deleted.length };
  }
  if (await deleteChanges(tx, input.fieldId, STEP_ITEMS)) return { input, deleted: 0 };
  await deleteField(tx, input.fieldId);
  return { input, end: true, deleted: 0 };
}
