import { Refusal } from '#contract/errors.ts';
import { type ShareBasis, shareByGoal, shareByLoad } from '#contract/leads/distribution.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { countCurrent, findMembers } from './shares.sql.ts';

interface Distribution {
  users: number[];
  count: number;
  by: ShareBasis;
}

/** How many of `count` leads each user gets, so that open leads or contacts missing this month become even. */
export async function computeShares(db: Db, { users: ids, count, by }: Distribution, month: TimeRange) {
  const members = await findMembers(db, ids);
  if (members.length < new Set(ids).size) {
    throw new Refusal('invalid_target', 'A chosen user does not exist or is inactive');
  }
  const current = await countCurrent(db, members, by, month);
  const shares = by === 'load' ? shareByLoad(count, current) : shareByGoal(count, current);
  return members.map(({ id, fullName, username }, nth) => ({
    userId: id,
    fullName: fullName || username,
    current: current[nth] ?? 0,
    share: shares[nth] ?? 0,
  }));
}
