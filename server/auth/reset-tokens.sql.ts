import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { emailChanges, passwordResetTokens, users } from '#server/schema/users.ts';

const { id, userId, token, used, expiresAt, createdAt } = passwordResetTokens;

export const RESET_LINK_MINUTES = 60;

const matchesValid = (hash: string) => and(eq(token, hash), eq(used, false), gt(expiresAt, sql`now()`));

export async function isResetTokenValid(db: Db, hash: string): Promise<boolean> {
  const [found] = await db
    .select({ id })
    .from(passwordResetTokens)
    .innerJoin(users, and(eq(users.id, userId), users.active))
    .where(matchesValid(hash));
  return found !== undefined;
}

/** Marks a token as used. One statement, so that of two concurrent requests only one gets the user. */
export async function consumeResetToken(db: Db, hash: string): Promise<number | undefined> {
  const [consumed] = await db
    .update(passwordResetTokens)
    .set({ used: true })
    .where(matchesValid(hash))
    .returning({ userId });
  return consumed?.userId;
}

export async function insertResetToken(db: Db, hash: string, accountId: number): Promise<void> {
  await db.insert(passwordResetTokens).values({
    userId: accountId,
    token: hash,
    expiresAt: sql`now() + make_interval(mins => ${RESET_LINK_MINUTES})`,
  });
}

/** Of all links to the account: also the one to a new e-mail address, by which another person could come back. */
export async function invalidateResetTokens(db: Db, accountId: number): Promise<void> {
  await db.delete(emailChanges).where(eq(emailChanges.userId, accountId));
  await db
    .update(passwordResetTokens)
    .set({ used: true })
    .where(and(eq(userId, accountId), eq(used, false)));
}

export async function deleteResetToken(db: Db, hash: string): Promise<void> {
  await db.delete(passwordResetTokens).where(eq(token, hash));
}

export async function countRecentResetTokens(db: Db, accountId: number): Promise<number> {
  return db.$count(passwordResetTokens, and(eq(userId, accountId), gt(createdAt, sql`now() - interval '1 hour'`)));
}
