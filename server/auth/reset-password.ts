import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import type { Env } from '#server/kit/env.ts';
import { enqueueMail, type MailJob } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { users } from '#server/schema/users.ts';
import { setPassword } from '#server/users/users.sql.ts';
import { refuseCommonIfAsked } from './common-passwords.ts';
import type { Passwords } from './passwords.ts';
import {
  consumeResetToken,
  countRecentResetTokens,
  deleteResetToken,
  insertResetToken,
  invalidateResetTokens,
  isResetTokenValid,
  RESET_LINK_MINUTES,
} from './reset-tokens.sql.ts';
import { deleteUserSessions } from './sessions/sessions.sql.ts';
import { needsSso } from './sso-only.sql.ts';

const LINKS_PER_HOUR = 3;

export const invalidToken = () =>
  new Refusal('invalid_token', 'Invalid or expired token. Please request a new reset link.');

/** Only queues a mail job: the account is looked up later, so that the response does not show whether it exists. */
export const requestPasswordReset = (db: Db, email: string, from: string) =>
  enqueueMail(db, { kind: 'reset_link', email, data: { from }, ttlMinutes: RESET_LINK_MINUTES });

/**
 * Creates the link of a requested reset, for an active account with fewer than three links in the last hour. A retried
 * job creates a new link and deletes the one that was not delivered, of which only the hash is stored.
 */
export async function createResetLink(db: Db, job: MailJob, env: Pick<Env, 'appUrl' | 'sso'>) {
  const { secret, hash } = newSecret();
  return db.transaction(async (tx) => {
    const [account] = await tx
      .select({ id: users.id, email: users.email, fullName: users.fullName, active: users.active })
      .from(users)
      .where(eq(sql`lower(${users.email})`, (job.email ?? '').toLowerCase()))
      .for('update');
    if (!account?.active || (await needsSso(tx, env, account.id))) return undefined;
    if (job.data.hash) await deleteResetToken(tx, job.data.hash);
    else await audit(tx, { event: 'reset_asked', subject: { type: 'user', id: account.id }, ip: job.data.from });
    if ((await countRecentResetTokens(tx, account.id)) >= LINKS_PER_HOUR) return undefined;
    await invalidateResetTokens(tx, account.id);
    await insertResetToken(tx, hash, account.id);
    await tx.update(mailOutbox).set({ data: { hash } }).where(eq(mailOutbox.id, job.id));
    return { ...account, link: `${env.appUrl}/reset-password?token=${secret}` };
  });
}

/** Sets a password by link. Token, password, lock, sessions and other links change in one transaction. */
export async function resetPassword(
  db: Db,
  passwords: Passwords,
  { token, password, ip, env }: { token: string; password: string; ip: string; env: Pick<Env, 'sso'> },
) {
  const hash = hashSecret(token);
  // Checked first, because hashing is expensive.
  if (!(await isResetTokenValid(db, hash))) throw invalidToken();
  await refuseCommonIfAsked(db, password, 'password');
  const hashed = await passwords.hash(password);
  await db.transaction(async (tx) => {
    const userId = await consumeResetToken(tx, hash);
    if (userId === undefined || (await needsSso(tx, env, userId))) throw invalidToken();
    await setPassword(tx, userId, hashed);
    await deleteUserSessions(tx, userId);
    await invalidateResetTokens(tx, userId);
    await audit(tx, { event: 'reset_used', subject: { type: 'user', id: userId }, ip });
    await enqueueMail(tx, { kind: 'password_reset', userId, ttlMinutes: 24 * 60 });
  });
}
