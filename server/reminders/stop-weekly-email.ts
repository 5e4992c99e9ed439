import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hmac, loadInstallationKey } from '#server/kit/secrets.ts';
import { switchOffWeeklyEmail } from './weekly-email.sql.ts';

const KEY = 'links that stop e-mails';

/**
 * The token in the links of a Monday e-mail, which stops those of its user and nothing else. It is signed and not stored, so
 * that the link of an old e-mail works as well.
 */
export const createStopToken = async (db: Db, userId: number) => `${userId}.${await sign(db, userId)}`;

export async function stopWeeklyEmail(db: Db, { token, ip }: { token: string; ip: string }) {
  const userId = await readStopToken(db, token);
  if (userId === undefined)
    throw new Refusal('invalid_token', 'This link is not valid. Please open it from the e-mail again.');
  await db.transaction(async (tx) => {
    if (!(await switchOffWeeklyEmail(tx, userId))) return;
    const subject = { type: 'user', id: userId } as const;
    await audit(tx, { event: 'weekly_email_stopped', actorId: userId, subject, ip });
  });
}

async function readStopToken(db: Db, token: string): Promise<number | undefined> {
  const [, id = '', signature = ''] = /^(\d{1,10})\.([\w-]{43})$/.exec(token) ?? [];
  const expected = await sign(db, Number(id));
  return signature && timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? Number(id) : undefined;
}

const sign = async (db: Db, userId: number) => hmac(await loadInstallationKey(db, KEY), `weekly e-mail of ${userId}`);
