import type { AuditDetails, AuditEvent, AuditOutcome, AuditSubjectType } from '#contract/audit/audit.ts';
import type { Viewer } from '#contract/users/user.ts';
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
  /** The program through which the actor did it. */
  program?: string | undefined;
}

/** Who did it: the user, and the program through which. */
export const byViewer = ({ id, program }: Viewer) => ({ actorId: id, program: program?.name });

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
    program: entry.program ?? null,
  }));
  for (const part of toInsertParts(rows)) await db.insert(auditEvents).values(part);
}
