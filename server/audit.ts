import type { Db } from './kit/db/db.ts';
import { auditEvents } from './kit/db/schema.ts';

export type AuditEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'account_locked'
  | 'account_unlocked'
  | 'logout'
  | 'reset_asked'
  | 'reset_used'
  | 'user_created'
  | 'user_changed'
  | 'user_activated'
  | 'user_deactivated'
  | 'user_deleted'
  | 'password_set'
  | 'lead_assigned'
  | 'lead_reassigned'
  | 'lead_deleted'
  | 'bulk_action'
  | 'import'
  | 'businesses_exported'
  | 'leads_exported'
  | 'changes_undone'
  | 'changes_exported'
  | 'calendar_feed_created'
  | 'calendar_feed_revoked'
  | 'call_refused';

export interface AuditEntry {
  event: AuditEvent;
  /** Null for an anonymous request. */
  actorId?: number | null;
  subject?: { type: 'user' | 'lead' | 'business'; id: number };
  ip?: string | null | undefined;
  outcome?: 'done' | 'refused';
  /** Ids, roles and codes, and the name of a deleted business. Never names of people, never their texts. */
  details?: Record<string, string | number | boolean>;
}

/** Inserts an audit event. Pass the transaction of the change, so that both are committed or neither. */
export const audit = (db: Db, entry: AuditEntry) => auditAll(db, [entry]);

/** Inserts any number of audit events with one statement. */
export async function auditAll(db: Db, entries: AuditEntry[]): Promise<void> {
  if (!entries.length) return;
  const rows = entries.map((entry): typeof auditEvents.$inferInsert => ({
    event: entry.event,
    actorId: entry.actorId ?? null,
    subjectType: entry.subject?.type ?? null,
    subjectId: entry.subject?.id ?? null,
    ip: entry.ip ?? null,
    outcome: entry.outcome ?? 'done',
    details: entry.details ?? {},
  }));
  await db.insert(auditEvents).values(rows);
}
