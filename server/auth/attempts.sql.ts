import { and, eq, gt, sql } from 'drizzle-orm';
import { lockMinutes } from '#contract/auth/lockout.ts';
import type { Role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { throttles, users } from '#server/schema/users.ts';
import { matchesSignInName } from '#server/users/users.sql.ts';

/** A counted sign-in attempt. `count` includes this one. */
export interface CountedAttempt {
  count: number;
  account?: { id: number; role: Role; active: boolean; password: string };
}

const inMinutes = (minutes: number) => sql`now() + make_interval(mins => ${minutes})`;

const nextCount = sql`case when ${throttles.expiresAt} <= now() then 1 else ${throttles.count} + 1 end`;

// The steps of `lockMinutes` in SQL, so that the statement that counts an attempt also locks the account.
const lockAfter = (count: ReturnType<typeof sql>) =>
  sql`case when (${count}) % 5 <> 0 then null
    when (${count}) >= 50 then now() + make_interval(mins => ${lockMinutes(50)})
    when (${count}) >= 15 then now() + make_interval(mins => ${lockMinutes(15)})
    when (${count}) >= 10 then now() + make_interval(mins => ${lockMinutes(10)})
    else now() + make_interval(mins => ${lockMinutes(5)}) end`;

/** The count starts again this long after the last failure, for existing and for unknown names. */
const RESET_AFTER_MINUTES = 24 * 60;

/**
 * Counts an attempt on an account before its password is verified. Undefined when there is no such account; `locked`
 * when it is locked, which leaves count and lock unchanged.
 */
export async function countAccountAttempt(db: Db, name: string): Promise<CountedAttempt | 'locked' | undefined> {
  const { id, role, active, password, failedLoginAttempts, lockedUntil } = users;
  return db.transaction(async (tx) => {
    // The row lock comes first, so that concurrent attempts are counted one after the other.
    const [account] = await tx
      .select({ id, role, active, password, locked: sql<boolean>`coalesce(${lockedUntil} > now(), false)` })
      .from(users)
      .where(matchesSignInName(name))
      .for('no key update');
    if (!account) return undefined;
    if (account.locked) return 'locked';
    // The users row holds the count; the throttles row holds when the count expires.
    const recent = await countSinceLast(tx, `failures of account ${account.id}`, RESET_AFTER_MINUTES);
    const next = recent > 1 ? sql`${failedLoginAttempts} + 1` : sql`1`;
    const [counted] = await tx
      .update(users)
      .set({ failedLoginAttempts: next, lockedUntil: lockAfter(next) })
      .where(eq(id, account.id))
      .returning({ count: failedLoginAttempts });
    return { count: counted?.count ?? 1, account };
  });
}

/** Counts events; the count expires when none happens for the given minutes. */
async function countSinceLast(db: Db, key: string, minutes: number): Promise<number> {
  const [counter] = await db
    .insert(throttles)
    .values({ key, count: 1, expiresAt: inMinutes(minutes) })
    .onConflictDoUpdate({ target: throttles.key, set: { count: nextCount, expiresAt: inMinutes(minutes) } })
    .returning({ count: throttles.count });
  return counter?.count ?? 1;
}

/** The same count for an unknown name, so that a lock does not show which names exist. */
export async function countUnknownAttempt(db: Db, key: string): Promise<CountedAttempt | 'locked'> {
  const { count, lockedUntil, expiresAt } = throttles;
  const [counted] = await db
    .insert(throttles)
    .values({ key, count: 1, expiresAt: inMinutes(RESET_AFTER_MINUTES) })
    .onConflictDoUpdate({
      target: throttles.key,
      set: { count: nextCount, lockedUntil: lockAfter(nextCount), expiresAt: inMinutes(RESET_AFTER_MINUTES) },
      setWhere: sql`${lockedUntil} is null or ${lockedUntil} <= now() or ${expiresAt} <= now()`,
    })
    .returning({ count });
  return counted ?? 'locked';
}

/** Seconds until an account, or an unknown name, is unlocked. */
export async function secondsUntilUnlocked(db: Db, name: string, unknownKey: string): Promise<number> {
  const left = (until: typeof users.lockedUntil | typeof throttles.lockedUntil) =>
    sql<number>`ceil(extract(epoch from ${until} - now()))::int`;
  const [account] = await db
    .select({ left: left(users.lockedUntil) })
    .from(users)
    .where(matchesSignInName(name));
  if (account) return Math.max(1, account.left ?? 1);
  const [unknown] = await db
    .select({ left: left(throttles.lockedUntil) })
    .from(throttles)
    .where(eq(throttles.key, unknownKey));
  return Math.max(1, unknown?.left ?? 1);
}

/** Counts an event in a window that starts with the first; returns the count and the seconds left. */
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

/** The count of a window that is still open. */
export async function readWindow(db: Db, key: string) {
  const { count, expiresAt } = throttles;
  const [counter] = await db
    .select({ count, secondsLeft: sql<number>`ceil(extract(epoch from ${expiresAt} - now()))::int` })
    .from(throttles)
    .where(and(eq(throttles.key, key), gt(expiresAt, sql`now()`)));
  return counter ?? { count: 0, secondsLeft: 0 };
}

/** An attempt that was no failure, and no success either: the right password without the code that is needed as well. */
export async function refundAttempt(db: Db, accountId: number): Promise<void> {
  const { id, failedLoginAttempts, lockedUntil } = users;
  await db
    .update(users)
    // It was not locked before, or it would not have been admitted.
    .set({ failedLoginAttempts: sql`greatest(${failedLoginAttempts} - 1, 0)`, lockedUntil: null })
    .where(and(eq(id, accountId), sql`${failedLoginAttempts} > 0 or ${lockedUntil} is not null`));
}
