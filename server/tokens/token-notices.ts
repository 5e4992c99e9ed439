import { formatDateTime } from '#contract/format.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Message } from '#server/kit/mail/message.ts';
import { enqueueMail, type MailJob } from '#server/kit/mail/outbox.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { markEndingTokens } from './tokens.sql.ts';

export const TOKEN_NOTICE = 'token_ends_soon';
const HOUR_MS = 3_600_000;
const TTL_MINUTES = 3 * 24 * 60;
const TOKENS_PER_STEP = 200;

/** Tells users by e-mail of their tokens that end within a week, once. */
export const tokenNoticeJob = defineJob<object>({
  kind: 'token-notices',
  everyMs: HOUR_MS,
  step: async (tx) => {
    const ending = await markEndingTokens(tx, TOKENS_PER_STEP);
    for (const { userId, name, expiresAt } of ending) {
      await enqueueMail(tx, { kind: TOKEN_NOTICE, userId, data: { name, expiresAt }, ttlMinutes: TTL_MINUTES });
    }
    return { end: ending.length < TOKENS_PER_STEP };
  },
});

interface Context {
  timeZone: string;
  appUrl: string;
}

export async function composeTokenNotice(
  db: Db,
  { userId, data: { name = '', expiresAt = '' } }: Pick<MailJob, 'userId' | 'data'>,
  { timeZone, appUrl }: Context,
): Promise<Message | undefined> {
  const user = userId === null ? undefined : await findOwnUser(db, userId);
  if (!user?.active) return undefined;
  return {
    to: user.email,
    subject: `The token of your program "${name}" ends soon`,
    paragraphs: [
      `Hello ${user.fullName},`,
      `the token with which the program "${name}" works with Highstreet for you ends on ${formatDateTime(expiresAt, timeZone)}. If you still use the program, make a new token for it before:`,
      `${appUrl}/account#programs`,
      'If you do not, you need not do anything.',
    ],
  };
}
