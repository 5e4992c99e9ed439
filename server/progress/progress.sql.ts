import { and, asc, eq, gte, lt, type Placeholder, sql } from 'drizzle-orm';
import type { TimeRange } from '#contract/progress/calendar.ts';
import { isFactorOverdue } from '#server/auth/sessions/factor-due.sql.ts';
import { isSessionValid } from '#server/auth/sessions/sessions.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { contactCredits } from '#server/schema/leads.ts';
import { sessions, users } from '#server/schema/users.ts';

const { userId, creditedAt, counted } = contactCredits;

// A literal, not a parameter: otherwise a prepared query does not use the partial index of counted credits.
const isCounted = sql`${counted}`;

const isWithin = ({ from, to }: TimeRange) =>
  and(isCounted, gte(creditedAt, from.toISOString()), lt(creditedAt, to.toISOString()));

/**
 * Reads the users of these sessions with their goal and their contacts of the week and of the month, which every open
 * page polls every 5 seconds.
 */
export function prepareReadPolls(db: Db) {
  const [weekFrom, weekTo] = [sql.placeholder('weekFrom'), sql.placeholder('weekTo')];
  const [monthFrom, monthTo] = [sql.placeholder('monthFrom'), sql.placeholder('monthTo')];
  const countBetween = (from: Placeholder, to: Placeholder) =>
    sql<number>`(count(*) filter (where ${gte(creditedAt, from)} and ${lt(creditedAt, to)}))::int`;
  const contacts = db
    .select({
      week: countBetween(weekFrom, weekTo).as('week'),
      month: countBetween(monthFrom, monthTo).as('month'),
    })
    .from(contactCredits)
    .where(
      and(
        eq(userId, users.id),
        isCounted,
        // A week may begin before the month and end after it.
        gte(creditedAt, sql`least(${weekFrom}::timestamptz, ${monthFrom}::timestamptz)`),
        lt(creditedAt, sql`greatest(${weekTo}::timestamptz, ${monthTo}::timestamptz)`),
      ),
    )
    .as('contacts');
  const query = db
    .select({
      session: sessions.id,
      id: users.id,
      role: users.role,
      limited: isFactorOverdue,
      monthlyGoal: users.monthlyGoal,
      week: contacts.week,
      month: contacts.month,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .crossJoinLateral(contacts)
    .where(and(sql`${sessions.id} = any(${sql.placeholder('ids')}::text[])`, isSessionValid))
    .prepare('read_polls');
  return async (ids: string[], { week, month }: { week: TimeRange; month: TimeRange }) => {
    const rows = await query.execute({
      ids,
      weekFrom: week.from.toISOString(),
      weekTo: week.to.toISOString(),
      monthFrom: month.from.toISOString(),
      monthTo: month.to.toISOString(),
    });
    return new Map(rows.map((row) => [row.session, row]));
  };
}

/** Goal and counted contacts of every active user, by name. */
export async function countTeamContacts(db: Db, range: TimeRange) {
  const { id, fullName, username, email, monthlyGoal, active } = users;
  return db
    .select({
      user: { id, fullName, username, email },
      monthlyGoal,
      count: sql<number>`count(${contactCredits.leadId})::int`,
    })
    .from(users)
    .leftJoin(contactCredits, and(eq(userId, id), isWithin(range)))
    .where(eq(active, true))
    .groupBy(id)
    .orderBy(asc(sql`lower(${fullName})`), asc(id));
}

/** Counted contacts per day, of the viewer and of all active users; days without contacts are left out. */
export async function countContactsByDay(db: Db, viewerId: number, range: TimeRange, timeZone: string) {
  const day = sql<number>`extract(day from ${creditedAt} at time zone ${timeZone})::int`;
  return db
    .select({
      day,
      own: sql<number>`count(*) filter (where ${userId} = ${viewerId})::int`,
      team: sql<number>`count(*)::int`,
    })
    .from(contactCredits)
    .innerJoin(users, and(eq(users.id, userId), eq(users.active, true)))
    .where(isWithin(range))
    .groupBy(sql`1`);
}

export async function sumGoals(db: Db, viewerId: number) {
  const [row] = await db
    .select({
      team: sql<number>`coalesce(sum(${users.monthlyGoal}), 0)::int`,
      own: sql<number>`coalesce(sum(${users.monthlyGoal}) filter (where ${users.id} = ${viewerId}), 0)::int`,
    })
    .from(users)
    .where(eq(users.active, true));
  return row ?? { team: 0, own: 0 };
}

/** The goals of active users who joined in the month, but not on its first day, by the day they joined. */
export async function listJoinedGoals(db: Db, { from, to }: TimeRange, timeZone: string) {
  const { active, createdAt, monthlyGoal } = users;
  const day = sql<number>`extract(day from ${createdAt} at time zone ${timeZone})::int`;
  const rows = await db
    .select({ day, goal: sql<number>`sum(${monthlyGoal})::int` })
    .from(users)
    .where(and(eq(active, true), gte(createdAt, from.toISOString()), lt(createdAt, to.toISOString())))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  return rows.filter(({ day }) => day > 1);
}
