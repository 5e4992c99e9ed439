import type { AuditEvent } from '#server/kit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { auditEvents } from '#server/kit/db/schema.ts';

interface AuditedLeads {
  event: AuditEvent;
  actorId: number;
  ip: string;
  leads: { id: number; details: Record<string, string | number> }[];
}

/** One audit event for each lead, in one statement. */
export async function auditLeads(tx: Db, { event, actorId, ip, leads }: AuditedLeads) {
  if (!leads.length) return;
  await tx
    .insert(auditEvents)
    .values(leads.map(({ id, details }) => ({ event, actorId, subjectType: 'lead', subjectId: id, ip, details })));
}
