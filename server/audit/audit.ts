import type { AuditDetails, AuditEvent, AuditOutcome, AuditSubjectType } from '#contract/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toInsertParts } from '#server/kit/db/parameters.ts';
import { auditEvents } from '#server/schema/audit.ts';

export interface AuditEntry {
  event: AuditEvent;
  /** Null for an anonymous request. */
  actorId?: number | null;
  subject?: { type: AuditSubjectType; id: number };
  ip?: string | null | undefined;
  outcome?: AuditOutcome;
  details?: AuditDetails;
}

/** Inserts an audit event. Pass the transaction of the change, so that both are committed or neither. */
export const audit = (db: Db, entry: AuditEntry) => auditAll(db, [entry]);

/** Inserts audit events, up to 5,000 with one statement. */
export async function auditAll(db: Db, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry): typeof auditEvents.$inferInsert => ({
    event: entry.event,
    actorId: entry.actorId ?? null,
    subjectType: entry.subject?.type ?? null,
    subjectId: entry.subject?.id ?? null,
    ip: entry.ip ?? null,
    outcome: entry.outcome ?? 'done',
    details: entry.details ?? {},
  }));
  for (const part of toInsertParts(rows)) await db.insert(auditEvents).values(part);
}
