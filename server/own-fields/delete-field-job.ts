import { defineJob } from '#server/jobs/job-kind.ts';
import { STEP_ITEMS } from '#server/jobs/jobs.sql.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { deleteChanges, deleteField, deleteValues } from './own-fields.sql.ts';

export const DELETE_FIELD = 'delete-field';

export interface DeletedField {
  fieldId: number;
  /** The last lead of the step before. */
  after: number;
}

/** Deletes the values of a field, then their changes, and last the field. */
export const deleteFieldJob = defineJob<DeletedField>({
  kind: DELETE_FIELD,
  step: async (tx, { input, done, success }) => {
    const deleted = await deleteValues(tx, input.fieldId, { after: input.after, limit: STEP_ITEMS });
    if (deleted.length) {
      await publishLeads(tx, deleted);
      const after = Math.max(...deleted.map(({ id }) => id));
      return {
        input: { ...input, after },
        ...{ done: done + deleted.length, success: success + deleted.length },
      };
    }
    if (await deleteChanges(tx, input.fieldId, STEP_ITEMS)) return {};
    await deleteField(tx, input.fieldId);
    return { end: true };
  },
});
