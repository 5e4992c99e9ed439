import { and, eq, gt, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { enqueueMail, type MailJob } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { publishUsers } from '#server/live/publish.ts';
import { emailChanges } from '#server/schema/users.ts';
import type { AccountAccess } from '#server/users/account-access.ts';
import { refuseDuplicates } from '#server/users/account-rules.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { setEmail, takeEmailChange } from './account.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

const invalidLink = () =>
  new Refusal('invalid_token', 'This link is not valid, or no longer. Please enter the new address again.');

/** The link for the mail to a new address; undefined where another one was entered since. A retried mail has another link. */
export async function createEmailLink(db: Db, job: MailJob, appUrl: string): Promise<string | undefined> {
  const { secret, hash } = newSecret();
  const [change] = await db
    .update(emailChanges)
    .set({ token: hash })
    .where(
      and(
        eq(emailChanges.userId, job.userId ?? 0),
        eq(emailChanges.email, job.email ?? ''),
        gt(emailChanges.expiresAt, sql`now()`),
      ),
    )
    .returning({ userId: emailChanges.userId });
  return change && `${appUrl}/confirm-email?token=${secret}`;
}

/** Changes the address, and reports it to the former one, which may be the only one that its owner still reads. */
export async function confirmEmail(db: Db, access: AccountAccess, { token, ip }: { token: string; ip: string }) {
  await refuseDuplicates(() =>
    db.transaction(async (tx) => {
      const change = await takeEmailChange(tx, hashSecret(token));
      const user = change && (await findOwnUser(tx, change.userId));
      if (!change || !user?.active) throw invalidLink();
      await setEmail(tx, user.id, change.email);
      await access.invalidateResetTokens(tx, user.id);
      await audit(tx, { event: 'email_confirmed', actorId: user.id, subject: { type: 'user', id: user.id }, ip });
      const notice = { kind: 'own_email_changed', userId: user.id, ttlMinutes: NOTICE_TTL_MINUTES };
      await enqueueMail(tx, { ...notice, email: user.email });
      await publishUsers(tx);
    }),
  );
}
