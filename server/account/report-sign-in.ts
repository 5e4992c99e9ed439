import { and, eq, gt, gte, sql } from 'drizzle-orm';
import { REPORT_LINK_DAYS } from '#contract/auth/report-sign-in.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { dropDeviceKeys } from '#server/auth/devices/device-keys.sql.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import { requestPasswordReset } from '#server/auth/reset-password.ts';
import { invalidateResetTokens } from '#server/auth/reset-tokens.sql.ts';
import { deleteUserSessions } from '#server/auth/sessions/sessions.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import type { MailJob } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import {
  knownBrowsers,
  oneTimeCodes,
  passkeys,
  recoveryCodes,
  signInReports,
  ssoIdentities,
  users,
} from '#server/schema/users.ts';
import { deleteUserTokens } from '#server/tokens/tokens.sql.ts';
import { findOwnUser, setPassword } from '#server/users/users.sql.ts';
import { deleteEmailChange, setEmail } from './account.sql.ts';

const { token: tokenColumn, userId, expiresAt, email } = signInReports;
const matchesValid = (hash: string) => and(eq(tokenColumn, hash), gt(expiresAt, sql`now()`));

const invalidLink = () =>
  new Refusal(
    'invalid_token',
    'This link is not valid, or no longer. To choose a new password, use "Forgot password".',
  );

/** The link of the mail about a sign-in. A retried mail has another one, and the one that was not delivered is deleted. */
export async function createReportLink(db: Db, job: MailJob, appUrl: string): Promise<string> {
  const { secret, hash } = newSecret();
  await db.transaction(async (tx) => {
    if (job.data.hash) await tx.delete(signInReports).where(eq(tokenColumn, job.data.hash));
    const expires = sql`${job.createdAt}::timestamptz + make_interval(days => ${REPORT_LINK_DAYS})`;
    await tx
      .insert(signInReports)
      .values({ token: hash, userId: job.userId ?? 0, expiresAt: expires, email: job.email });
    await tx
      .update(mailOutbox)
      .set({ data: { ...job.data, hash } })
      .where(eq(mailOutbox.id, job.id));
  });
  return `${appUrl}/report-sign-in?token=${secret}`;
}

/** Ends everything by which another person may use the account, and sends its owner a link to choose a new password. */
export async function endReportedAccess(db: Db, passwords: Passwords, { token, ip }: { token: string; ip: string }) {
  const hash = hashSecret(token);
  // Checked first, because hashing is expensive.
  const [valid] = await db.select({ userId }).from(signInReports).where(matchesValid(hash));
  if (!valid) throw invalidLink();
  const unknownPassword = await passwords.hash(newSecret().secret);
  await db.transaction(async (tx) => {
    const signedInAt = sql<string>`(${expiresAt} - make_interval(days => ${REPORT_LINK_DAYS}))::text`;
    const [report] = await tx.delete(signInReports).where(matchesValid(hash)).returning({ userId, signedInAt, email });
    const user = report && (await findOwnUser(tx, report.userId));
    if (!user) throw invalidLink();
    await setPassword(tx, user.id, unknownPassword);
    await dropDeviceKeys(tx, user.id);
    await deleteUserSessions(tx, user.id);
    await deleteUserTokens(tx, user.id);
    await invalidateResetTokens(tx, user.id);
    await deleteEmailChange(tx, user.id);
    await tx.delete(knownBrowsers).where(eq(knownBrowsers.userId, user.id));
    await deleteFactorsSince(tx, user.id, report.signedInAt);
    await audit(tx, { event: 'sign_in_reported', actorId: user.id, subject: { type: 'user', id: user.id }, ip });
    const reported = report.email ?? user.email;
    if (await giveBackEmail(tx, user.id, reported)) await requestPasswordReset(tx, reported, ip);
  });
}

/** The other person may have changed the address. False where another account has the former one by now. */
async function giveBackEmail(tx: Db, user: number, address: string): Promise<boolean> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, address.toLowerCase()));
  if (!owner) await setEmail(tx, user, address);
  return !owner || owner.id === user;
}

/** The other person may have added another way in, or locked the owner out. What was there before is the owner's. */
async function deleteFactorsSince(tx: Db, user: number, signedInAt: string) {
  const since = sql`${signedInAt}::timestamptz`;
  await tx.delete(ssoIdentities).where(and(eq(ssoIdentities.userId, user), gte(ssoIdentities.createdAt, since)));
  await tx.delete(passkeys).where(and(eq(passkeys.userId, user), gte(passkeys.createdAt, since)));
  const isNew = and(eq(oneTimeCodes.userId, user), gte(oneTimeCodes.confirmedAt, since));
  const deleted = await tx.delete(oneTimeCodes).where(isNew).returning({ userId: oneTimeCodes.userId });
  if (deleted.length) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user));
}
