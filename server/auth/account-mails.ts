import { ROLE_LABEL, type Role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Message } from '#server/kit/mail/message.ts';
import type { MailJob } from '#server/kit/mail/outbox.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { createResetLink } from './reset-password.ts';
import { RESET_LINK_MINUTES } from './reset-tokens.sql.ts';

type Notice = (data: MailJob['data'], username: string) => { subject: string; text: string };

/** Sent after a change to an account. None contains a secret. */
const NOTICES: Record<string, Notice> = {
  password_reset: (_data, name) => ({
    subject: 'Your Highstreet password was changed',
    text: `The password of the account "${name}" was changed with a reset link, and every device was signed out.`,
  }),
  password_set: (_data, name) => ({
    subject: 'Your Highstreet password was changed',
    text: `An administrator set a new password for the account "${name}". They will tell you the password themselves.`,
  }),
  email_changed: (_data, name) => ({
    subject: 'Your Highstreet e-mail address was changed',
    text: `An administrator changed the e-mail address of the account "${name}".`,
  }),
  role_changed: (data, name) => ({
    subject: 'Your Highstreet role was changed',
    text: `An administrator changed the role of the account "${name}" to ${ROLE_LABEL[data.role as Role]}.`,
  }),
};

/** Composes the mail of an outbox job; undefined when there is nothing to send any more. */
export async function composeAccountMail(
  db: Db,
  job: MailJob,
  { appUrl, supportEmail }: { appUrl: string; supportEmail: string },
): Promise<Message | undefined> {
  if (job.kind === 'reset_link') {
    const reset = await createResetLink(db, job, appUrl);
    return (
      reset && {
        to: reset.email,
        subject: 'Reset your Highstreet password',
        paragraphs: [
          `Hello ${reset.fullName},`,
          'Somebody, probably you, asked to reset the password of your Highstreet account. To choose a new one, open:',
          reset.link,
          `The link works once, for ${RESET_LINK_MINUTES} minutes. If you did not ask for it, you need not do anything.`,
        ],
      }
    );
  }
  const user = job.userId === null ? undefined : await findOwnUser(db, job.userId);
  const notice = NOTICES[job.kind]?.(job.data, user?.username ?? '');
  if (!user || !notice) return undefined;
  return {
    to: job.email ?? user.email,
    subject: notice.subject,
    paragraphs: [
      `Hello ${user.fullName},`,
      notice.text,
      `If you did not expect this, please contact the support team at ${supportEmail}.`,
      appUrl,
    ],
  };
}
