import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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
  weeklyEmail: boolean().notNull().default(false),
  startAt: text().$type<StartScreen>(),
  deletedAt: moment(),
  hasPassword: boolean().notNull().default(true),
  passwordSetByOther: boolean().notNull().default(false),
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
  provenAt: moment().notNull().default(now),
  idleHours: integer().notNull().default(12),
  ssoIssuer: text(),
  ssoSubject: text(),
  ssoId: text(),
  deviceKey: uuid(),
});

export const deviceKeys = pgTable('device_keys', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  createdAt: moment().notNull().default(now),
  lastUsedAt: moment().notNull().default(now),
  droppedAt: moment(),
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
    ip: text(),
    description: text(),
    firstUsedAt: moment().notNull().default(now),
    lastUsedAt: moment().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.browser] })],
);

export const signInReports = pgTable('sign_in_reports', {
  token: text().primaryKey(),
  userId: integer().notNull(),
  expiresAt: moment().notNull(),
  /** The user's address at the sign-in; null where an administrator has changed it since. */
  email: text(),
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

export const oneTimeCodes = pgTable('one_time_codes', {
  userId: integer().primaryKey(),
  secret: text().notNull(),
  confirmedAt: moment(),
  lastStep: bigint({ mode: 'number' }).notNull().default(0),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: integer().notNull(), code: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.code] })],
);

export const passkeys = pgTable('passkeys', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  name: text().notNull(),
  credentialId: text().notNull(),
  publicKey: text().notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: text().array().notNull(),
  synced: boolean().notNull(),
  createdAt: moment().notNull().default(now),
  lastUsedAt: moment(),
});

export const challenges = pgTable('challenges', {
  id: text().primaryKey(),
  challenge: text().notNull(),
  userId: integer(),
  expiresAt: moment().notNull(),
});

export const ssoIdentities = pgTable(
  'sso_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: integer().notNull(),
    createdAt: moment().notNull().default(now),
    lastUsedAt: moment().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

export const throttles = pgTable('throttles', {
  key: text().primaryKey(),
  count: integer().notNull().default(0),
  lockedUntil: moment(),
  expiresAt: moment().notNull(),
});
