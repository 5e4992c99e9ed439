import { inArray } from 'drizzle-orm';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { auditAll, byViewer } from '#server/audit/audit.ts';
import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { leads } from '#server/schema/leads.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';
import { businessNames } from './leads.sql.ts';

/** A statement has at most 65,535 parameters. */
const CHUNK = 1_000;

/** Deletes locked leads with everything on them. The audit events keep the names of their businesses. */
export async function deleteLeads(tx: Db, locked: Lead[], viewer: Viewer, ip: string) {
  for (let start = 0; start < locked.length; start += CHUNK) {
    requireFreeSpace(tx);
    await deleteChunk(tx, locked.slice(start, start + CHUNK), viewer, ip);
  }
}

async function deleteChunk(tx: Db, locked: Lead[], viewer: Viewer, ip: string) {
  const ids = locked.map(({ id }) => id);
  const names = await businessNames(tx, locked);
  const by = { userId: viewer.id, ...(viewer.program && { program: viewer.program.name }) };
  await recordEvents(
    tx,
    ids.map((leadId) => ({ type: 'lead.deleted', leadId, data: { by } })),
  );
  await tx.delete(leads).where(inArray(leads.id, ids));
  await publishLeads(tx, locked);
  await auditAll(
    tx,
    locked.map(({ id, uuid, businessId }) => ({
      event: 'lead_deleted',
      ...byViewer(viewer),
      subject: { type: 'lead', id },
      ip,
      details: { uuid, businessId, name: names.get(businessId) ?? '' },
    })),
  );
}
