import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { passwordResetTokens, users } from '#server/kit/db/schema.ts';

const { id, userId, token, used, expiresAt, createdAt } = passwordResetTokens;

export const RESET_LINK_MINUTES = 60;

const good = (hash: string) => and(eq(token, hash), eq(used, false), gt(expiresAt, sql`now()`));

export async function resetTokenIsGood(db: Db, hash: string): Promise<boolean> {
  const [found] = await db
    .select({ id })
    .from(passwordResetTokens)
    .innerJoin(users, and(eq(users.id, userId), users.active))
    .where(good(hash));
  return found !== undefined;
}

/** Uses a link up: one statement, so that of two at once only one gets the user. */
export async function takeResetToken(db: Db, hash: string): Promise<number | undefined> {
  const [taken] = await db.update(passwordResetTokens).set({ used: true }).where(good(hash)).returning({ userId });
  return taken?.userId;
}

export async function insertResetToken(db: Db, hash: string, forUser: number): Promise<void> {
  await db.insert(passwordResetTokens).values({
    userId: forUser,
    token: hash,
    expiresAt: sql`now() + make_interval(mins => ${RESET_LINK_MINUTES})`,
  });
}

/** Makes every open link of an account worthless. */
export async function voidResetTokens(db: Db, ofUser: number): Promise<void> {
  await db
    .update(passwordResetTokens)
    .set({ used: true })
    .where(and(eq(userId, ofUser), eq(used, false)));
}

export async function forgetResetToken(db: Db, hash: string): Promise<void> {
  await db.delete(passwordResetTokens).where(eq(token, hash));
}

export async function resetLinksInLastHour(db: Db, ofUser: number): Promise<number> {
  return db.$count(passwordResetTokens, and(eq(userId, ofUser), gt(createdAt, sql`now() - interval '1 hour'`)));
}
