import { EMAIL_LINK_HOURS } from '#contract/account/account.calls.ts';
import { INVITATION_DAYS } from '#contract/account/invitations.calls.ts';
import { REPORT_LINK_DAYS } from '#contract/auth/report-sign-in.calls.ts';
import { formatDateTime } from '#contract/format.ts';
import { type OwnUser, ROLE_LABEL, type Role } from '#contract/users/user.ts';
import { createResetLink } from '#server/auth/reset-password.ts';
import { RESET_LINK_MINUTES } from '#server/auth/reset-tokens.sql.ts';
import { describeBrowser } from '#server/auth/sessions/describe-browser.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import type { Message } from '#server/kit/mail/message.ts';
import type { MailJob } from '#server/kit/mail/outbox.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { createEmailLink } from './confirm-email.ts';
import { setInvitationToken } from './invitations.sql.ts';
import { createReportLink } from './report-sign-in.ts';

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
  password_changed: (_data, name) => ({
    subject: 'Your Highstreet password was changed',
    text: `The password of the account "${name}" was changed on its own page, and every other device was signed out.`,
  }),
  codes_set_up: (_data, name) => ({
    subject: 'One-time codes were set up for your Highstreet account',
    text: `From now on, signing in to the account "${name}" needs a code of your authenticator app.`,
  }),
  codes_removed: (_data, name) => ({
    subject: 'One-time codes were removed from your Highstreet account',
    text: `The one-time codes were removed from the account "${name}".`,
  }),
  factors_removed: (_data, name) => ({
    subject: 'Second factors were removed from your Highstreet account',
    text: `An administrator has removed the one-time codes and passkeys of the account "${name}". Signing in needs its password only.`,
  }),
  recovery_code_used: (_data, name) => ({
    subject: 'A recovery code of your Highstreet account was used',
    text: `A recovery code was used in place of a code of the app of the account "${name}".`,
  }),
  recovery_codes_made: (_data, name) => ({
    subject: 'New recovery codes of your Highstreet account',
    text: `New recovery codes were made for the account "${name}". The former ones no longer work.`,
  }),
  passkey_added: (_data, name) => ({
    subject: 'A passkey was added to your Highstreet account',
    text: `The account "${name}" can now be signed in to with one more passkey.`,
  }),
  passkey_removed: (_data, name) => ({
    subject: 'A passkey was removed from your Highstreet account',
    text: `One of the passkeys of the account "${name}" no longer works.`,
  }),
  token_created: (data, name) => ({
    subject: 'A token for a program was made for your Highstreet account',
    text: `With it, the program "${data.name}" makes requests for the account "${name}".`,
  }),
  sso_connected: (data, name) => ({
    subject: 'Your Highstreet account was connected to single sign-on',
    text: `The account "${name}" was signed in to with ${data.name}, for the first time.`,
  }),
  sso_disconnected: (_data, name) => ({
    subject: 'Your Highstreet account was disconnected from single sign-on',
    text: `An administrator has disconnected the account "${name}" from single sign-on. Signing in with it once more connects it again.`,
  }),
  own_email_changed: (_data, name) => ({
    subject: 'Your Highstreet e-mail address was changed',
    text: `The e-mail address of the account "${name}" was changed. This address is no longer used.`,
  }),
  email_changed: (_data, name) => ({
    subject: 'Your Highstreet e-mail address was changed',
    text: `An administrator changed the e-mail address of the account "${name}".`,
  }),
  role_changed: (data, name) => ({
    subject: 'Your Highstreet role was changed',
    text: `${data.bySso ?? 'An administrator'} changed the role of the account "${name}" to ${ROLE_LABEL[data.role as Role]}.`,
  }),
};

/** Composes the mail of an outbox job; undefined when there is nothing to send any more. */
export async function composeAccountMail(
  db: Db,
  job: MailJob,
  env: Pick<Env, 'appUrl' | 'supportEmail' | 'timeZone' | 'sso'>,
): Promise<Message | undefined> {
  const { appUrl, supportEmail, timeZone } = env;
  if (job.kind === 'reset_link') {
    const reset = await createResetLink(db, job, env);
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
  if (job.kind === 'invitation') return composeInvitation(db, job, env);
  const user = job.userId === null ? undefined : await findOwnUser(db, job.userId);
  if (user && job.kind === 'confirm_email') return composeEmailLink(user, job, await createEmailLink(db, job, appUrl));
  if (user && job.kind === 'new_browser') {
    return composeNewBrowser(user, job, { link: await createReportLink(db, job, appUrl), timeZone });
  }
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

function composeEmailLink({ username, fullName }: OwnUser, { email }: MailJob, link: string | undefined) {
  if (!link || !email) return undefined;
  return {
    to: email,
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      `Hello ${fullName},`,
      `this address was entered as the new one of the Highstreet account "${username}". To confirm it, open:`,
      link,
      `The link works once, for ${EMAIL_LINK_HOURS} hours. If you did not enter it, you need not do anything.`,
    ],
  };
}

function composeNewBrowser(
  { username, fullName, ...user }: OwnUser,
  { data, createdAt, email }: MailJob,
  { link, timeZone }: { link: string; timeZone: string },
) {
  const { browser, system } = describeBrowser(data.userAgent);
  return {
    to: email ?? user.email,
    subject: 'A new sign-in to your Highstreet account',
    paragraphs: [
      `Hello ${fullName},`,
      `the account "${username}" was signed in to with a browser that it has not used before:`,
      `${browser ?? 'An unknown browser'}${system ? ` on ${system}` : ''}, from ${data.ip}, ${formatDateTime(createdAt, timeZone)}`,
      'If that was you, you need not do anything. If it was not, open this link. It ends all sessions and the password:',
      link,
      `The link works for ${REPORT_LINK_DAYS} days.`,
    ],
  };
}

async function composeInvitation(
  db: Db,
  { data }: MailJob,
  { appUrl, sso }: Pick<Env, 'appUrl' | 'sso'>,
): Promise<Message | undefined> {
  const { secret, hash } = newSecret();
  const invitation = await setInvitationToken(db, data.invitationId ?? '', hash);
  if (!invitation) return undefined;
  const { email, fullName, invitedBy } = invitation;
  const by = `${invitedBy ?? 'An administrator'} has invited you to Highstreet.`;
  const how = sso?.only
    ? [
        `${by} To sign in with ${sso.name}, open:`,
        `${appUrl}/auth`,
        `The invitation is open for ${INVITATION_DAYS} days.`,
      ]
    : [
        `${by} To choose your username and password, open:`,
        `${appUrl}/invitation?token=${secret}`,
        `The link works once, for ${INVITATION_DAYS} days.`,
      ];
  return { to: email, subject: 'Your account for Highstreet', paragraphs: [`Hello ${fullName},`, ...how] };
}
