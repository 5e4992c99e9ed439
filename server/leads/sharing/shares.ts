import { Refusal } from '#contract/errors.ts';
import { shareOut } from '#contract/leads/sharing/assignment.ts';
import { keepAndGive, type ShareBasis } from '#contract/leads/sharing/distribution.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { countCurrent, findMembers, listHolders } from './shares.sql.ts';

interface Distribution {
  users: number[];
  by: ShareBasis;
}

/** How many of `count` new leads each user gets, so that open leads or contacts missing this month become even. */
export async function computeShares(db: Db, { count, ...choice }: Distribution & { count: number }, month: TimeRange) {
  const members = await readMembers(db, choice, month);
  const shares = shareOut(
    count,
    choice.by,
    members.map(({ current }) => current),
  );
  return members.map((member, nth) => ({ ...member, share: shares[nth] ?? 0 }));
}

/** Which of these leads each user keeps and gets. What a user has does not include the leads that are shared out. */
export async function planShares(db: Db, ids: number[], choice: Distribution, month: TimeRange) {
  const members = await readMembers(db, choice, month);
  const holders = await listHolders(db, ids);
  const countOpen = (user: number) => holders.filter(({ userId, open }) => open && userId === user).length;
  const shares = shareOut(
    ids.length,
    choice.by,
    members.map(({ userId, current }) => (choice.by === 'load' ? current - countOpen(userId) : current)),
  );
  const planned = keepAndGive(
    ids,
    members.map(({ userId }, nth) => ({ userId, share: shares[nth] ?? 0 })),
    new Map(holders.map(({ id, userId }) => [id, userId])),
  );
  return members.map((member, nth) => ({
    ...member,
    kept: planned[nth]?.kept ?? [],
    given: planned[nth]?.given ?? [],
  }));
}

async function readMembers(db: Db, { users, by: basis }: Distribution, month: TimeRange) {
  const members = await findMembers(db, users);
  if (members.length < new Set(users).size) {
    throw new Refusal('invalid_target', 'A chosen user does not exist or is inactive');
  }
  const current = await countCurrent(db, members, basis, month);
  return members.map(({ id, fullName, username }, nth) => ({
    userId: id,
    fullName: fullName || username,
    current: current[nth] ?? 0,
  }));
}
