import { and, eq, gt, sql } from 'drizzle-orm';
import { type Account, EMAIL_LINK_HOURS, type SessionItem } from '#contract/account/account.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { describeBrowser } from '#server/auth/sessions/describe-browser.ts';
import { isSessionValid } from '#server/auth/sessions/sessions.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { emailChanges, sessions, users } from '#server/schema/users.ts';
import { findUser } from '#server/users/users.sql.ts';

export async function readAccount(db: Db, userId: number): Promise<Account> {
  const found = await findUser(db, userId);
  if (!found) throw new Refusal('not_found', 'This account no longer exists');
  const { id, username, email, fullName, role, monthlyGoal, active, createdAt } = found;
  const [change] = await db
    .select({ email: emailChanges.email })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, sql`now()`)));
  const user = { id, username, email, fullName, role, monthlyGoal, active };
  return { user, createdAt, newEmail: change?.email ?? null };
}

export async function setName(tx: Db, userId: number, fullName: string): Promise<void> {
  await tx.update(users).set({ fullName, updatedAt: sql`now()` }).where(eq(users.id, userId));
}

export async function setEmail(tx: Db, userId: number, email: string): Promise<void> {
  await tx.update(users).set({ email, updatedAt: sql`now()` }).where(eq(users.id, userId));
}

/** An earlier change of the user is forgotten. The link is made when its mail is sent. */
export async function storeEmailChange(tx: Db, userId: number, email: string): Promise<void> {
  const change = { email, token: null, expiresAt: sql`now() + make_interval(hours => ${EMAIL_LINK_HOURS})` };
  await tx
    .insert(emailChanges)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: emailChanges.userId, set: change });
}

export async function deleteEmailChange(tx: Db, userId: number): Promise<void> {
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
}

/** Deletes the change of a link, so that of two concurrent requests only one gets it. */
export async function takeEmailChange(tx: Db, token: string): Promise<{ userId: number; email: string } | undefined> {
  const [change] = await tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.token, token), gt(emailChanges.expiresAt, sql`now()`)))
    .returning({ userId: emailChanges.userId, email: emailChanges.email });
  return change;
}

export async function listSessions(db: Db, userId: number, currentId: string | undefined): Promise<SessionItem[]> {
  const rows = await db
    .select({
      id: sessions.publicId,
      isCurrent: sql<boolean>`${sessions.id} = ${currentId ?? ''}`,
      userAgent: sessions.userAgent,
      ip: sessions.ip,
      signedInAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), isSessionValid))
    .orderBy(sql`${sessions.id} = ${currentId ?? ''} desc`, sql`${sessions.lastUsedAt} desc`);
  return rows.map(({ isCurrent, userAgent, ...session }) => ({
    ...session,
    ...describeBrowser(userAgent),
    current: isCurrent,
  }));
}

/** What is stored of a session's cookie, by the id that its user knows. */
export async function findSessionOf(tx: Db, userId: number, publicId: string): Promise<string | undefined> {
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.publicId, publicId)));
  return session?.id;
}
