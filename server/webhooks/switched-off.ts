import type { OffReason } from '#contract/webhooks/webhook.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Message } from '#server/kit/mail/message.ts';
import { enqueueMail, type MailJob } from '#server/kit/mail/outbox.ts';
import { findOwnUser, listActiveAdmins } from '#server/users/users.sql.ts';

export const WEBHOOK_NOTICE = 'webhook_off';
const TTL_MINUTES = 3 * 24 * 60;

interface SwitchedOff {
  webhookId: string;
  url: string;
  reason: OffReason;
}

/** Tells the administrators that the product has switched a webhook off. */
export async function switchedOff(tx: Db, { url, reason }: SwitchedOff): Promise<void> {
  const host = toHost(url);
  await audit(tx, { event: 'webhook_switched_off', details: { target: host, kind: reason } });
  for (const { id } of await listActiveAdmins(tx)) {
    await enqueueMail(tx, { kind: WEBHOOK_NOTICE, userId: id, data: { host, reason }, ttlMinutes: TTL_MINUTES });
  }
}

/** What may be said of an address outside of the settings: its path may be a secret. */
export const toHost = (url: string) => new URL(url).host;

const REASON: Partial<Record<string, string>> = {
  gone: 'its receiver answered that the address is gone (410)',
  failing: 'it has failed for ten days',
};

export async function composeWebhookNotice(
  db: Db,
  { userId, data: { host = '', reason = '' } }: Pick<MailJob, 'userId' | 'data'>,
  { appUrl }: { appUrl: string },
): Promise<Message | undefined> {
  const user = userId === null ? undefined : await findOwnUser(db, userId);
  if (!user?.active || user.role !== 'admin') return undefined;
  return {
    to: user.email,
    subject: `The webhook to ${host} was switched off`,
    paragraphs: [
      `Hello ${user.fullName},`,
      `Highstreet no longer tells ${host} what happens, because ${REASON[reason] ?? 'it failed'}. What was not delivered is kept for 30 days. Look at the deliveries, and switch the webhook on again:`,
      `${appUrl}/settings#webhooks`,
    ],
  };
}
