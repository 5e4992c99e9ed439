import { Refusal } from '#contract/errors.ts';
import { type AssignmentChoice, listChosen } from '#contract/leads/sharing/assignment.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import { ASSIGN_STEP } from '#contract/sweeps/sweeps.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import { storeMatches } from '#server/duplicates/store-matches.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { createLeads } from '#server/leads/create-leads.ts';
import { requireTarget } from '#server/leads/reassignment-target.ts';
import { recordAssignments } from '#server/leads/record-assignments.ts';
import { prepareAssignment } from '#server/leads/sharing/prepare-assignment.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { chooseHolders } from './choose-holders.ts';
import { countAssigned, listNewBusinesses, lockWithoutLeads, markAssigned } from './sweep-results.sql.ts';
import { lockSweep } from './sweeps.sql.ts';

interface Options {
  assignment: SweepAssignment;
  businessIds?: number[] | undefined;
  /** What `compareNext` returned: no other result is assigned. */
  compared: ReadonlySet<number>;
  viewer: Viewer;
  ip: string;
  log: ChangeLog;
  now: Date;
  timeZone: string;
}

/**
 * Looks for leads that the next new results are like, which are then no longer new: a lead may have been imported since
 * the sweep. Not in the transaction that assigns them, which would block the job that stores such pairs, too.
 */
export async function compareNext(db: Db, sweepId: string, businessIds?: number[]): Promise<ReadonlySet<number>> {
  const next = (await listNewBusinesses(db, sweepId, businessIds)).slice(0, ASSIGN_STEP);
  await storeMatches(db, next);
  return new Set(next);
}

/**
 * Makes the next new results of a sweep leads, in the transaction of the caller. Two calls at once wait for each other
 * at the sweep's row, and what is a lead by then is not assigned again.
 */
export async function assignResults(tx: Db, sweepId: string, options: Options) {
  const { assignment, businessIds, compared, viewer, log, now, timeZone } = options;
  await requireCurrentRole(tx, viewer);
  if (!(await lockSweep(tx, sweepId))) throw new Refusal('not_found', 'This sweep no longer exists');
  const choice = toChoice(assignment);
  if (choice.way !== 'territory') for (const userId of listChosen(choice)) await requireTarget(tx, userId);
  const given = await countAssigned(tx, log.batchId);
  const month = monthContaining(timeZone, now);
  const prepared = await prepareAssignment(tx, choice, { month, lock: 'share', given });
  const found = await listNewBusinesses(tx, sweepId, businessIds);
  const step = found.filter((id) => compared.has(id));
  const free = await lockWithoutLeads(tx, step);
  const next = step.filter((id) => free.has(id));
  await insertLeads(tx, await chooseHolders(tx, sweepId, next, prepared), options);
  if (next.length) await markAssigned(tx, sweepId, next, log.batchId);
  const assigned = [...given.values()].reduce((sum, count) => sum + count, next.length);
  return { assigned, left: found.length - step.length };
}

function toChoice(assignment: SweepAssignment): AssignmentChoice {
  if (assignment.to === 'user') return { way: 'one', userId: assignment.userId };
  if (assignment.to === 'territory') return { way: 'territory', fallbackUserId: assignment.fallbackUserId };
  // In one order, in which they are locked.
  return { way: assignment.by, userIds: [...new Set(assignment.userIds)].sort((a, b) => a - b) };
}

/** With history, audit and one notification for each user, which later requests of the batch add to. */
async function insertLeads(tx: Db, holders: Map<number, number>, { viewer, ip, log }: Options) {
  if (!holders.size) return;
  const rows = [...holders].map(([id, userId]) => ({ business: { id }, userId }));
  const created = await createLeads(tx, rows, { origin: { kind: 'sweep' }, log });
  const assignments = created.map((lead) => ({ lead }));
  await recordAssignments(tx, assignments, { viewer, ip, notices: { batch: log.batchId, merged: true } });
}
