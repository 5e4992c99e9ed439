import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { AuditOutcome, AuditSubjectType } from '#contract/audit/audit.ts';
import { moment, now } from '#server/kit/db/columns.ts';

export const auditEvents = pgTable('audit_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  at: moment().notNull().default(now),
  event: text().notNull(),
  actorId: integer(),
  subjectType: text().$type<AuditSubjectType>(),
  subjectId: integer(),
  ip: text(),
  outcome: text().$type<AuditOutcome>().notNull().default('done'),
  program: text(),
  details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
});
