import { eq } from 'drizzle-orm';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/kit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses } from '#server/kit/db/schema.ts';
import { removeLead } from './change-lead.sql.ts';

/** Deletes a locked lead with everything on it. What it was called is written down: nothing else remembers it. */
export async function deleteLead(tx: Db, lead: Lead, viewer: Viewer, address: string) {
  const [business] = await tx
    .select({ name: businesses.name })
    .from(businesses)
    .where(eq(businesses.id, lead.businessId));
  await removeLead(tx, lead.id);
  await audit(tx, {
    event: 'lead_deleted',
    actorId: viewer.id,
    subject: { type: 'lead', id: lead.id },
    address,
    details: { uuid: lead.uuid, businessId: lead.businessId, name: business?.name ?? '' },
  });
}
