import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, moment, now } from './columns.ts';

export const mailOutbox = pgTable('mail_outbox', {
  id: id(),
  kind: text().notNull(),
  userId: integer(),
  email: text(),
  data: jsonb().$type<Record<string, string>>().notNull().default({}),
  attempts: integer().notNull().default(0),
  nextAttemptAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
  lastError: text(),
  lastFailedAt: moment(),
  createdAt: moment().notNull().default(now),
});

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: integer().notNull(),
    route: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    status: integer().notNull(),
    response: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull().default({}),
    createdAt: moment().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.route, table.key] })],
);

export const installationKeys = pgTable('installation_keys', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: moment().notNull().default(now),
});
