import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox, users } from '#server/kit/db/schema.ts';
import { enqueueMail, type MailJob } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { setPassword } from '#server/users/users.sql.ts';
import type { Passwords } from './passwords.ts';
import {
  forgetResetToken,
  insertResetToken,
  RESET_LINK_MINUTES,
  resetLinksInLastHour,
  resetTokenIsGood,
  takeResetToken,
  voidResetTokens,
} from './reset-tokens.sql.ts';
import { deleteSessionsOf } from './sessions.sql.ts';

const LINKS_PER_HOUR = 3;

export const invalidToken = () =>
  new Refusal('invalid_token', 'Invalid or expired token. Please request a new reset link.');

/** Writes down that somebody asked. Whether there is such an account is found out later, out of the asker's sight. */
export const askForReset = (db: Db, email: string, from: string) =>
  enqueueMail(db, { kind: 'reset_link', email, data: { from }, worthMinutes: RESET_LINK_MINUTES });

/**
 * Makes the link for an asked-for reset: for a known, active account that has not had its three links this hour. A job
 * that is tried again makes a new link in place of the one that did not arrive, as only a hash is kept of that.
 */
export async function makeResetLink(db: Db, job: MailJob, appUrl: string) {
  const { secret, hash } = newSecret();
  return db.transaction(async (tx) => {
    const [account] = await tx
      .select({ id: users.id, email: users.email, fullName: users.fullName, active: users.active })
      .from(users)
      .where(eq(sql`lower(${users.email})`, (job.email ?? '').toLowerCase()))
      .for('update');
    if (!account?.active) return undefined;
    if (job.data.hash) await forgetResetToken(tx, job.data.hash);
    else await audit(tx, { event: 'reset_asked', subject: { type: 'user', id: account.id }, ip: job.data.from });
    if ((await resetLinksInLastHour(tx, account.id)) >= LINKS_PER_HOUR) return undefined;
    await voidResetTokens(tx, account.id);
    await insertResetToken(tx, hash, account.id);
    await tx.update(mailOutbox).set({ data: { hash } }).where(eq(mailOutbox.id, job.id));
    return { ...account, link: `${appUrl}/reset-password?token=${secret}` };
  });
}

/** Sets a password by link: token, password, lock, sessions and other links change together or not at all. */
export async function resetPassword(
  db: Db,
  passwords: Passwords,
  { token, password, ip }: { token: string; password: string; ip: string },
) {
  const hash = hashSecret(token);
  // Hashing is dear; a link that is no good must not buy it.
  if (!(await resetTokenIsGood(db, hash))) throw invalidToken();
  const hashed = await passwords.hash(password);
  await db.transaction(async (tx) => {
    const userId = await takeResetToken(tx, hash);
    if (userId === undefined) throw invalidToken();
    await setPassword(tx, userId, hashed);
    await deleteSessionsOf(tx, userId);
    await voidResetTokens(tx, userId);
    await audit(tx, { event: 'reset_used', subject: { type: 'user', id: userId }, ip });
    await enqueueMail(tx, { kind: 'password_reset', userId, worthMinutes: 24 * 60 });
  });
}
