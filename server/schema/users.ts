import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { StartScreen } from '#contract/auth/settings.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { id, moment, now } from '#server/kit/db/columns.ts';

export const users = pgTable('users', {
  id: id(),
  username: text().notNull(),
  password: text().notNull(),
  email: text().notNull(),
  fullName: text().notNull(),
  role: text().$type<Role>().notNull().default('user'),
  monthlyGoal: integer().notNull().default(100),
  active: boolean().notNull().default(true),
  failedLoginAttempts: integer().notNull().default(0),
  lockedUntil: moment(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  morningEmail: boolean().notNull().default(true),
  startAt: text().$type<StartScreen>(),
  deletedAt: moment(),
});

export const sessions = pgTable('sessions', {
  id: text().primaryKey(),
  userId: integer().notNull(),
  createdAt: moment().notNull().default(now),
  lastUsedAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
  ip: text(),
  userAgent: text(),
  publicId: uuid().notNull().defaultRandom(),
});

export const emailChanges = pgTable('email_changes', {
  userId: integer().primaryKey(),
  email: text().notNull(),
  token: text(),
  expiresAt: moment().notNull(),
});

export const knownBrowsers = pgTable(
  'known_browsers',
  {
    userId: integer().notNull(),
    browser: text().notNull(),
    firstUsedAt: moment().notNull().default(now),
    lastUsedAt: moment().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.browser] })],
);

export const signInReports = pgTable('sign_in_reports', {
  token: text().primaryKey(),
  userId: integer().notNull(),
  expiresAt: moment().notNull(),
});

export const passwordResetTokens = pgTable('password_reset_tokens', {
  id: id(),
  userId: integer().notNull(),
  token: text().notNull(),
  expiresAt: moment().notNull(),
  used: boolean().notNull().default(false),
  createdAt: moment().notNull().default(now),
});

export const invitations = pgTable('invitations', {
  id: uuid().primaryKey().defaultRandom(),
  email: text().notNull(),
  fullName: text().notNull(),
  role: text().$type<Role>().notNull(),
  monthlyGoal: integer().notNull(),
  token: text(),
  invitedBy: integer(),
  sentAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
});

export const throttles = pgTable('throttles', {
  key: text().primaryKey(),
  count: integer().notNull().default(0),
  lockedUntil: moment(),
  expiresAt: moment().notNull(),
});
