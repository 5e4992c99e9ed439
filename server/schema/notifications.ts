import { bigint, boolean, date, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { NotificationType } from '#contract/notifications/notifications.calls.ts';
import type { PushKind, PushMessage } from '#contract/push/push-message.ts';
import { id, moment, now } from '#server/kit/db/columns.ts';

export const notifications = pgTable('notifications', {
  id: id(),
  userId: integer().notNull(),
  title: text().notNull(),
  message: text().notNull(),
  relatedBusinessId: integer(),
  relatedUserBusinessId: integer(),
  sourceUserId: integer(),
  read: boolean().notNull().default(false),
  type: text().$type<NotificationType>().notNull(),
  createdAt: moment().notNull().default(now),
  /** The leads of an action, where there are several or may be. */
  leadIds: integer().array(),
  batch: uuid(),
  /** The comment that it is about, which is deleted with it. */
  commentId: integer(),
  /** Whether the devices of its user are still to ring. */
  pushDue: boolean().notNull().default(false),
});

/** What the devices of a user show while Highstreet is closed, where it is not the default. */
export const pushSettings = pgTable('push_settings', {
  userId: integer().primaryKey(),
  kinds: text().array().$type<PushKind[]>().notNull(),
  details: boolean().notNull(),
  atAnyTime: boolean().notNull(),
});

/** The browsers that ring, as their push services know them. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  /** The public id of the session that added it. It outlives a session that has expired, so it is no foreign key. */
  sessionId: uuid().notNull(),
  endpoint: text().notNull(),
  publicKey: text().notNull(),
  auth: text().notNull(),
  updatedAt: moment().notNull().default(now),
});

/** What is to be sent to a push service, until it has taken it. */
export const pushMessages = pgTable('push_messages', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  subscriptionId: uuid().notNull(),
  message: jsonb().$type<PushMessage>().notNull(),
  attempts: integer().notNull().default(0),
  nextAttemptAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
});

/** The days whose morning e-mails are in the outbox. */
export const morningEmails = pgTable('morning_emails', {
  day: date().primaryKey(),
  createdAt: moment().notNull().default(now),
});

/** The Mondays whose weekly e-mails are in the outbox. */
export const weeklyEmails = pgTable('weekly_emails', {
  monday: date().primaryKey(),
  createdAt: moment().notNull().default(now),
});

/** The private calendar address of a user; only the hash of its token is stored. */
export const calendarFeeds = pgTable('calendar_feeds', {
  userId: integer().primaryKey(),
  token: text().notNull(),
  createdAt: moment().notNull().default(now),
});
