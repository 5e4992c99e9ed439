import { z } from 'zod';
import { moment } from '../fields.ts';
import { webhookEvent } from './webhook-event.ts';

export const MAX_WEBHOOKS = 20;
export const MAX_WEBHOOK_URL = 2_048;
/** For how long the key before a change of keys is valid, too. */
export const OLD_KEY_HOURS = 24;
/** After so many days without a success a webhook is switched off. */
export const MAX_FAILING_DAYS = 10;

export const webhookSignature = z.enum(['hmac', 'ed25519']);
export type WebhookSignature = z.infer<typeof webhookSignature>;

export const WEBHOOK_SIGNATURE_LABEL: Record<WebhookSignature, string> = {
  hmac: 'HMAC with a shared secret',
  ed25519: 'Ed25519 with a public key',
};

const URL_PROBLEM = 'Please enter an address that begins with https://';

/** Without user info, which would be in the log of every proxy, and without a fragment, which is never sent. */
const webhookUrl = z
  .string()
  .trim()
  .max(MAX_WEBHOOK_URL, `Address must have at most ${MAX_WEBHOOK_URL} characters`)
  .refine((text) => parseUrl(text) !== undefined, URL_PROBLEM)
  .transform((text) => parseUrl(text) ?? text);

function parseUrl(text: string): string | undefined {
  const address = /^(https?):\/\/[^/?#@\s\\]+(?:[/?][^\s\\#]*)?$/i.exec(text)?.[0];
  return address && z.url({ protocol: /^https?$/ }).safeParse(address).success ? address : undefined;
}

export const webhookSettings = z.object({
  url: webhookUrl,
  events: z
    .array(webhookEvent)
    .min(1, 'Please choose at least one event')
    .max(webhookEvent.options.length)
    .transform((events) => webhookEvent.options.filter((event) => events.includes(event))),
  /** Only events of leads that are in this saved view. */
  viewId: z.uuid().nullable().default(null),
});
export type WebhookSettings = z.output<typeof webhookSettings>;

export const newWebhook = webhookSettings.extend({ signature: webhookSignature.default('hmac') });
export type NewWebhook = z.output<typeof newWebhook>;

export const changedWebhook = webhookSettings.extend({ on: z.boolean() });

/** Why a webhook is off: an administrator, the answer 410, days of failure, or a backup that was restored. */
export const offReason = z.enum(['user', 'gone', 'failing', 'restored']);
export type OffReason = z.infer<typeof offReason>;

export const OFF_REASON_LABEL: Record<OffReason, string> = {
  user: 'Off',
  gone: 'Off: the receiver answered that the address is gone',
  failing: `Off: it failed for ${MAX_FAILING_DAYS} days`,
  restored: 'Off: a backup was restored',
};

/** A webhook as lists show it: never its secret. */
export const webhook = z.strictObject({
  id: z.uuid(),
  url: z.string(),
  events: z.array(webhookEvent),
  /** The name is null once the view is deleted: no event of a lead is sent then. */
  view: z.strictObject({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  signature: webhookSignature,
  /** The current one, of a webhook that signs with Ed25519. */
  publicKey: z.string().nullable(),
  /** While signatures of the key before are sent as well. */
  oldKeyUntil: moment.nullable(),
  on: z.boolean(),
  offReason: offReason.nullable(),
  failingSince: moment.nullable(),
  /** The number of deliveries that are not done. */
  open: z.number(),
  last: z.strictObject({ at: moment, delivered: z.boolean() }).nullable(),
  createdAt: moment,
});
export type Webhook = z.infer<typeof webhook>;
