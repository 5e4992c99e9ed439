import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
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
});

export const passwordResetTokens = pgTable('password_reset_tokens', {
  id: id(),
  userId: integer().notNull(),
  token: text().notNull(),
  expiresAt: moment().notNull(),
  used: boolean().notNull().default(false),
  createdAt: moment().notNull().default(now),
});

export const throttles = pgTable('throttles', {
  key: text().primaryKey(),
  count: integer().notNull().default(0),
  lockedUntil: moment(),
  expiresAt: moment().notNull(),
});
