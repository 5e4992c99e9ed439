import { z } from 'zod';
import { call } from '../call.ts';
import { afterOf } from '../cursor.ts';
import { calendarDay, FIRST_DAY, moment, optionalUserId } from '../fields.ts';
import { job } from '../jobs/job.ts';
import { shownChange } from '../leads/fields/logged-change.ts';
import { changeBatch, changeKind, undoOutcome } from './change.ts';

/** The id of the batch that a change was recorded in, in the response to the request. */
export const BATCH_HEADER = 'x-change-batch';

const emptyIsNone = <T>(value: T | ''): T | undefined => value || undefined;

const filter = {
  /** Only the changes of this user. */
  userId: optionalUserId,
  kind: z
    .union([z.literal(''), changeKind])
    .optional()
    .transform(emptyIsNone),
  /** Only the changes of this day, in the time zone of the installation. */
  day: z
    .union([z.literal(''), calendarDay])
    .optional()
    .transform(emptyIsNone),
};

export const changeFilter = z.object(filter);
export type ChangeFilter = z.output<typeof changeFilter>;

/** The last batch of a page, as "time_id". */
const cursor = z
  .string()
  .transform((text) => {
    const [at, id] = text.split('_');
    return { at, id };
  })
  .pipe(z.object({ at: moment.refine((at) => at >= FIRST_DAY, 'must be in this century'), id: z.uuid() }));

export const listChanges = call({
  method: 'GET',
  path: '/api/changes',
  access: 'user',
  summary: "Batches of changes, newest first: the viewer's own, for admins everyone's.",
  query: z.object({
    ...filter,
    ...afterOf(cursor),
  }),
  response: z.strictObject({ items: z.array(changeBatch), next: z.string().nullable() }),
  showsLeads: 'list',
  programs: 'unlimited',
});

const params = z.object({ batchId: z.uuid() });

export const getChangeBatch = call({
  method: 'GET',
  path: '/api/changes/:batchId',
  access: 'user',
  summary: 'One batch of changes, and what undoing it would do.',
  params,
  response: z.strictObject({
    batch: changeBatch,
    /** The first changes of the batch. */
    changes: z.array(z.strictObject({ name: z.string(), uuid: z.uuid().nullable(), change: shownChange })),
    undo: undoOutcome,
  }),
  showsLeads: 'derived',
  programs: 'unlimited',
});

export const undoChanges = call({
  method: 'POST',
  path: '/api/changes/:batchId/undo',
  access: 'user',
  summary: 'Takes back the changes of a batch that nothing has changed since. This is a batch too, and can be undone.',
  params,
  /** The response to a large batch does not wait for its end. */
  query: z.object({ background: z.enum(['true']).optional() }),
  response: z.strictObject({
    message: z.string(),
    ...undoOutcome.shape,
    /** Of a large batch that is not taken back within seconds: the server goes on. The numbers are those so far. */
    job: job.optional(),
  }),
});

export const exportChanges = call({
  method: 'GET',
  path: '/api/changes/export',
  access: 'admin',
  summary: 'The filtered changes of all users as a CSV file, changes.csv.',
  query: changeFilter,
  response: z.string(),
  limit: 'export',
  needsProof: true,
});
