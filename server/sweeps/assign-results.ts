import { Refusal } from '#contract/errors.ts';
import { dealLeads, shareByGoal, shareByLoad } from '#contract/leads/sharing/distribution.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import { ASSIGN_STEP } from '#contract/sweeps/sweeps.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import { storeMatches } from '#server/duplicates/store-matches.ts';
import type { Db } from '#server/kit/db/db.ts';
import { createLeads } from '#server/leads/create-leads.ts';
import { requireTarget } from '#server/leads/reassignment-target.ts';
import { recordAssignments } from '#server/leads/record-assignments.ts';
import { type PreparedAssignment, prepareAssignment } from '#server/leads/sharing/prepare-assignment.ts';
import { countCurrent, findMembers } from '#server/leads/sharing/shares.sql.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { chooseOwners } from './choose-owners.ts';
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
  const { assignment, businessIds, compared, viewer, log } = options;
  await requireCurrentRole(tx, viewer);
  if (!(await lockSweep(tx, sweepId))) throw new Refusal('not_found', 'This sweep no longer exists');
  const userIds = listUsers(assignment);
  for (const userId of userIds) await requireTarget(tx, userId);
  const owners = await lockOwners(tx, options);
  const found = await listNewBusinesses(tx, sweepId, businessIds);
  const step = found.filter((id) => compared.has(id));
  const free = await lockWithoutLeads(tx, step);
  const next = step.filter((id) => free.has(id));
  const before = await countAssigned(tx, log.batchId);
  const holders = owners
    ? await chooseOwners(tx, sweepId, next, owners)
    : await chooseHolders(tx, next, { ...options, userIds, before, remaining: found.length });
  await insertLeads(tx, holders, options);
  if (next.length) await markAssigned(tx, sweepId, next, log.batchId);
  const assigned = [...before.values()].reduce((sum, count) => sum + count, next.length);
  return { assigned, left: found.length - step.length };
}

function listUsers(assignment: SweepAssignment): number[] {
  if (assignment.to === 'territory') return [];
  return assignment.to === 'user' ? [assignment.userId] : [...new Set(assignment.userIds)].sort((a, b) => a - b);
}

/** Undefined where the results do not go to territories. */
async function lockOwners(tx: Db, { assignment, now, timeZone }: Options): Promise<PreparedAssignment | undefined> {
  if (assignment.to !== 'territory') return undefined;
  const { fallbackUserId } = assignment;
  const month = monthContaining(timeZone, now);
  return prepareAssignment(tx, { way: 'territory', fallbackUserId }, { month, lock: 'share' });
}

/** With history, audit and one notification for each user, which later requests of the batch add to. */
async function insertLeads(tx: Db, holders: Map<number, number>, { viewer, ip, log }: Options) {
  if (!holders.size) return;
  const rows = [...holders].map(([id, userId]) => ({ business: { id }, userId }));
  const created = await createLeads(tx, rows, { origin: { kind: 'sweep' }, log });
  const assignments = created.map((lead) => ({ lead }));
  await recordAssignments(tx, assignments, { viewer, ip, notices: { batch: log.batchId, merged: true } });
}

interface Choice extends Options {
  userIds: number[];
  /** The leads of this batch so far, by user. */
  before: Map<number, number>;
  /** The results that are still to be assigned, these included. */
  remaining: number;
}

/** The user who gets each business. Shares are those of the whole batch, so that its steps add up to them. */
async function chooseHolders(tx: Db, ids: number[], choice: Choice): Promise<Map<number, number>> {
  const { assignment, userIds, before, remaining, now, timeZone } = choice;
  const [only = 0] = userIds;
  if (assignment.to !== 'several') return new Map(ids.map((id) => [id, only]));
  const members = await findMembers(tx, userIds);
  const given = members.map(({ id }) => before.get(id) ?? 0);
  const current = await countCurrent(tx, members, assignment.by, monthContaining(timeZone, now));
  const total = remaining + given.reduce((sum, count) => sum + count, 0);
  const shares =
    assignment.by === 'load'
      ? shareByLoad(
          total,
          current.map((open, nth) => open - (given[nth] ?? 0)),
        )
      : shareByGoal(total, current);
  const hands = dealLeads(
    ids,
    shares.map((share, nth) => Math.max(0, share - (given[nth] ?? 0))),
  );
  const [first] = members;
  const holders = new Map(ids.map((id) => [id, first?.id ?? 0])); // for those that are left if loads changed meanwhile
  for (const [nth, hand] of hands.entries()) for (const id of hand) holders.set(id, members[nth]?.id ?? 0);
  return holders;
}
