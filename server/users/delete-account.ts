import { defineJob } from '#server/jobs/job-kind.ts';
import { wakeOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publishLeadsOf } from '#server/live/lead-events.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';
import { deleteLeadsOf, deleteUser, hideUser, lockHiddenUser } from './users.sql.ts';

const DELETE_ACCOUNTS = 'delete-accounts';
const HOUR_MS = 3_600_000;
/** The leads that one transaction deletes. */
const STEP = 1_000;

/**
 * Deletes an account with its leads. Of many leads the rest is left to a job, and the account is gone for everyone at once.
 * Returns whether the job has to run.
 */
export async function deleteAccount(tx: Db, userId: number): Promise<boolean> {
  await recordEvents(tx, [{ type: 'user.deactivated', data: { user: { id: userId }, deleted: true } }]);
  const left = !(await deleteSome(tx, userId));
  if (left) {
    await hideUser(tx, userId);
    await wakeOwnJob(tx, DELETE_ACCOUNTS);
  }
  return left;
}

/** Returns whether nothing is left of the account. */
async function deleteSome(tx: Db, userId: number): Promise<boolean> {
  const end = (await deleteLeadsOf(tx, userId, STEP)) < STEP;
  if (end) await deleteUser(tx, userId);
  await publishLeadsOf(tx, [userId]);
  return end;
}

/** Every hour, too: a restored backup may have an account that is being deleted, but has no jobs. */
export const deleteAccountsJob = defineJob<object>({
  kind: DELETE_ACCOUNTS,
  everyMs: HOUR_MS,
  step: async (tx) => {
    const userId = await lockHiddenUser(tx);
    if (userId === undefined) return { end: true };
    await deleteSome(tx, userId);
    return {};
  },
});
