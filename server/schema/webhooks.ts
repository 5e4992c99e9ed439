import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { DeliveryAttempt, DeliveryState } from '#contract/webhooks/delivery.ts';
import type { OffReason, WebhookSignature } from '#contract/webhooks/webhook.ts';
import type { SentEvent, WebhookEvent } from '#contract/webhooks/webhook-event.ts';
import { moment, now } from '#server/kit/db/columns.ts';

export const webhooks = pgTable('webhooks', {
  id: uuid().primaryKey().defaultRandom(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  viewId: uuid(),
  signature: text().$type<WebhookSignature>().notNull(),
  /** Encrypted. */
  secret: text().notNull(),
  publicKey: text(),
  /** It signs as well until `oldUntil`. */
  oldSecret: text(),
  oldUntil: moment(),
  state: text().$type<'on' | 'off'>().notNull().default('on'),
  offReason: text().$type<OffReason>(),
  failingSince: moment(),
  /** As its receiver asked for. */
  pausedUntil: moment(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
});

export const webhookEvents = pgTable('webhook_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  /** The webhook-id of its requests. */
  messageId: uuid().notNull().defaultRandom(),
  type: text().$type<SentEvent>().notNull(),
  leadId: integer(),
  data: jsonb().$type<Record<string, unknown>>().notNull(),
  at: moment().notNull().default(now),
  /** The only one that is told of it: a test. */
  webhookId: uuid(),
  /** Whether it has its deliveries. */
  assigned: boolean().notNull().default(false),
});

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  webhookId: uuid().notNull(),
  eventId: bigint({ mode: 'number' }).notNull(),
  leadId: integer(),
  state: text().$type<DeliveryState>().notNull(),
  attempts: integer().notNull().default(0),
  /** While it is being sent, the time at which another process may try. */
  nextAttemptAt: moment().notNull().default(now),
  lastAttemptAt: moment(),
  log: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
});
