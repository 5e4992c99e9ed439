import { z } from 'zod';
import { moment } from '../fields.ts';

const jobState = z.enum(['running', 'done', 'cancelled', 'stopped']);
export type JobState = z.infer<typeof jobState>;

/** Work that the server does in steps, for one user: how far it is, or how it ended. */
export const job = z.strictObject({
  id: z.uuid(),
  state: jobState,
  total: z.number(),
  done: z.number(),
  success: z.number(),
  failed: z.number(),
  /** Why some failed. */
  reasons: z.array(z.string()),
  /** What it did, or why it was stopped. */
  message: z.string().nullable(),
  /** The batch in the change log, once something was changed that can be undone. */
  batchId: z.uuid().nullable(),
  createdAt: moment,
});
export type Job = z.infer<typeof job>;
