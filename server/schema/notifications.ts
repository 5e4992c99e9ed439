import { boolean, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { NotificationType } from '#contract/notifications/notifications.calls.ts';
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
