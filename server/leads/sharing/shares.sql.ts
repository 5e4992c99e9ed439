import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_OPEN } from '#server/leads/list/attention.sql.ts';
import { contactCredits } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

type Member = Awaited<ReturnType<typeof findMembers>>[number];

/** The active ones among these users, by name. */
export const findMembers = (db: Db, ids: number[]) =>
  db
    .select({ id: users.id, fullName: users.fullName, username: users.username, monthlyGoal: users.monthlyGoal })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.active, true)))
    .orderBy(sql`lower(${users.fullName})`, users.id);

/** Of each user the open leads, or the contacts that are missing to the goal of the month. */
export async function countCurrent(db: Db, members: Member[], basis: ShareBasis, month: TimeRange): Promise<number[]> {
  const ids = members.map(({ id }) => id);
  const counts = new Map(basis === 'load' ? await countOpen(db, ids) : await countCredits(db, ids, month));
  return members.map(({ id, monthlyGoal }) => {
    const count = counts.get(id) ?? 0;
    return basis === 'load' ? count : Math.max(0, monthlyGoal - count);
  });
}

/** Who holds each of these leads, and whether it is open. */
export async function listHolders(db: Db, ids: number[]) {
  const { rows } = await db.execute<{ id: number; userId: number; open: boolean }>(sql`
    select lead.id, lead.user_id as "userId", ${IS_OPEN} as open from user_businesses lead
    where lead.id = any(${sql.param(ids)}::int[])`);
  return rows;
}

async function countOpen(db: Db, ids: number[]): Promise<[number, number][]> {
  const { rows } = await db.execute<{ id: number; count: number }>(sql`
    select lead.user_id as id, count(*)::int as count from user_businesses lead
    where lead.user_id = any(${sql.param(ids)}::int[]) and ${IS_OPEN} group by lead.user_id`);
  return rows.map(({ id, count }) => [id, count]);
}

async function countCredits(db: Db, ids: number[], { from, to }: TimeRange): Promise<[number, number][]> {
  const { userId, creditedAt, counted } = contactCredits;
  const rows = await db
    .select({ id: userId, count: sql<number>`count(*)::int` })
    .from(contactCredits)
    .where(
      and(inArray(userId, ids), sql`${counted}`, gte(creditedAt, from.toISOString()), lt(creditedAt, to.toISOString())),
    )
    .groupBy(userId);
  return rows.map(({ id, count }) => [id, count]);
}
