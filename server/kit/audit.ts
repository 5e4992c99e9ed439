import type { Db } from './db/db.ts';
import { auditEvents } from './db/schema.ts';

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
  | 'call_refused';

interface Audited {
  event: AuditEvent;
  /** Who did it; nobody, when nobody was signed in. */
  actorId?: number | null;
  subject?: { type: 'user' | 'lead' | 'business'; id: number };
  ip?: string | null;
  outcome?: 'done' | 'refused';
  /** Ids, roles and codes, and the name of a deleted business. Never contents: no people's names or texts. */
  details?: Record<string, string | number | boolean>;
}

/** Writes down what happened, in the transaction in which it happens. */
export async function audit(db: Db, { event, actorId, subject, ip, outcome, details }: Audited) {
  await db.insert(auditEvents).values({
    event,
    actorId: actorId ?? null,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    ip: ip ?? null,
    outcome: outcome ?? 'done',
    details: details ?? {},
  });
}
