import { z } from 'zod';

/** What a webhook can be told of, in the order of the form. */
export const webhookEvent = z.enum([
  'lead.created',
  'lead.assigned',
  'lead.changed',
  'lead.closed',
  'lead.merged',
  'lead.deleted',
  'follow_up.due',
  'import.finished',
  'sweep.finished',
  'user.created',
  'user.deactivated',
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

export const WEBHOOK_EVENT_LABEL: Record<WebhookEvent, string> = {
  'lead.created': 'Lead created',
  'lead.assigned': 'Lead assigned to another user',
  'lead.changed': 'Lead changed',
  'lead.closed': 'Lead closed',
  'lead.merged': 'Lead merged',
  'lead.deleted': 'Lead deleted',
  'follow_up.due': 'Follow-up due',
  'import.finished': 'Import finished',
  'sweep.finished': 'Sweep finished',
  'user.created': 'User created',
  'user.deactivated': 'User deactivated',
};

/** What "Send a test" sends, whatever a webhook is told of. */
export const TEST_EVENT = 'webhook.test';
export type SentEvent = WebhookEvent | typeof TEST_EVENT;

export const formatSentEvent = (type: string) =>
  type === TEST_EVENT ? 'Test' : (WEBHOOK_EVENT_LABEL[type as WebhookEvent] ?? type);
