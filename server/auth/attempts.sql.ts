import { and, eq, gt, sql } from 'drizzle-orm';
import { lockMinutes } from '#contract/auth/lockout.ts';
import type { Role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { throttles, users } from '#server/kit/db/schema.ts';
import { namedAs } from '#server/users/users.sql.ts';

/** A counted try at signing in. `count` includes this one. */
export interface Attempt {
  count: number;
  account?: { id: number; role: Role; active: boolean; password: string };
}

const inMinutes = (minutes: number) => sql`now() + make_interval(mins => ${minutes})`;

const nextCount = sql`case when ${throttles.expiresAt} <= now() then 1 else ${throttles.count} + 1 end`;

// The steps of `lockMinutes` as SQL sees them: the count after this try decides, in the same statement that counts.
const lockAfter = (count: ReturnType<typeof sql>) =>
  sql`case when (${count}) % 5 <> 0 then null
    when (${count}) >= 50 then now() + make_interval(mins => ${lockMinutes(50)})
    when (${count}) >= 15 then now() + make_interval(mins => ${lockMinutes(15)})
    when (${count}) >= 10 then now() + make_interval(mins => ${lockMinutes(10)})
    else now() + make_interval(mins => ${lockMinutes(5)}) end`;

/** Failures are forgotten this long after the last one, of names that exist and of names that do not. */
const FORGET_MINUTES = 24 * 60;

/**
 * Counts a try at an account before its password is looked at. Undefined when there is no such account; `locked` when
 * it takes no tries at the moment, which leaves count and lock as they are.
 */
export async function countAccountAttempt(db: Db, name: string): Promise<Attempt | 'locked' | undefined> {
  const { id, role, active, password, failedLoginAttempts, lockedUntil } = users;
  return db.transaction(async (tx) => {
    // Locked first, so that each of many tries at once sees the count of the one before it.
    const [account] = await tx
      .select({ id, role, active, password, locked: sql<boolean>`coalesce(${lockedUntil} > now(), false)` })
      .from(users)
      .where(namedAs(name))
      .for('no key update');
    if (!account) return undefined;
    if (account.locked) return 'locked';
    // The row holds the count; when that is to be forgotten is kept beside it.
    const recent = await countSinceLast(tx, `failures of account ${account.id}`, FORGET_MINUTES);
    const next = recent > 1 ? sql`${failedLoginAttempts} + 1` : sql`1`;
    const [counted] = await tx
      .update(users)
      .set({ failedLoginAttempts: next, lockedUntil: lockAfter(next) })
      .where(eq(id, account.id))
      .returning({ count: failedLoginAttempts });
    return { count: counted?.count ?? 1, account };
  });
}

/** Counts something that is forgotten when it does not happen again for a while. */
async function countSinceLast(db: Db, key: string, minutes: number): Promise<number> {
  const [counter] = await db
    .insert(throttles)
    .values({ key, count: 1, expiresAt: inMinutes(minutes) })
    .onConflictDoUpdate({ target: throttles.key, set: { count: nextCount, expiresAt: inMinutes(minutes) } })
    .returning({ count: throttles.count });
  return counter?.count ?? 1;
}

/** The same count for a name that nobody has, so that a lock does not tell which names are real. */
export async function countUnknownAttempt(db: Db, key: string): Promise<Attempt | 'locked'> {
  const { count, lockedUntil, expiresAt } = throttles;
  const [counted] = await db
    .insert(throttles)
    .values({ key, count: 1, expiresAt: inMinutes(FORGET_MINUTES) })
    .onConflictDoUpdate({
      target: throttles.key,
      set: { count: nextCount, lockedUntil: lockAfter(nextCount), expiresAt: inMinutes(FORGET_MINUTES) },
      setWhere: sql`${lockedUntil} is null or ${lockedUntil} <= now() or ${expiresAt} <= now()`,
    })
    .returning({ count });
  return counted ?? 'locked';
}

/** Seconds until an account, or a name that nobody has, takes tries again. */
export async function secondsLocked(db: Db, name: string, unknownKey: string): Promise<number> {
  const left = (until: typeof users.lockedUntil | typeof throttles.lockedUntil) =>
    sql<number>`ceil(extract(epoch from ${until} - now()))::int`;
  const [account] = await db
    .select({ left: left(users.lockedUntil) })
    .from(users)
    .where(namedAs(name));
  if (account) return Math.max(1, account.left ?? 1);
  const [unknown] = await db
    .select({ left: left(throttles.lockedUntil) })
    .from(throttles)
    .where(eq(throttles.key, unknownKey));
  return Math.max(1, unknown?.left ?? 1);
}

/** Counts something in a window that starts with its first count; answers the count and the seconds left. */
export async function countInWindow(db: Db, key: string, minutes: number) {
  const { count, expiresAt } = throttles;
  const ends = inMinutes(minutes);
  const [counter] = await db
    .insert(throttles)
    .values({ key, count: 1, expiresAt: ends })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        count: nextCount,
        expiresAt: sql`case when ${expiresAt} <= now() then ${ends} else ${expiresAt} end`,
      },
    })
    .returning({ count, secondsLeft: sql<number>`ceil(extract(epoch from ${expiresAt} - now()))::int` });
  return counter ?? { count: 1, secondsLeft: minutes * 60 };
}

/** What has been counted in a window that is still open. */
export async function readWindow(db: Db, key: string) {
  const { count, expiresAt } = throttles;
  const [counter] = await db
    .select({ count, secondsLeft: sql<number>`ceil(extract(epoch from ${expiresAt} - now()))::int` })
    .from(throttles)
    .where(and(eq(throttles.key, key), gt(expiresAt, sql`now()`)));
  return counter ?? { count: 0, secondsLeft: 0 };
}
