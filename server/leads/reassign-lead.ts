import { eq, sql } from 'drizzle-orm';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/kit/db/schema.ts';
import { alreadyAssigned, recordHandOver, requireTarget } from './hand-over.ts';
import { leadColumns } from './leads.sql.ts';

interface Reassignment {
  newUserId: number;
  notes?: string | undefined;
  viewer: Viewer;
  address: string;
}

/** Hands a locked lead to another user. For its new holder it is new: not viewed, assigned today. */
export async function reassignLead(tx: Db, lead: Lead, { newUserId, notes, viewer, address }: Reassignment) {
  const target = await requireTarget(tx, newUserId);
  if (target.id === lead.userId) throw alreadyAssigned();
  const [moved] = await tx
    .update(leads)
    .set({ userId: target.id, viewed: false, assignedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(leads.id, lead.id))
    .returning(leadColumns);
  if (!moved) throw new Error(`Lead ${lead.id} went while it was locked`);
  await recordHandOver(tx, { lead: moved, previousUserId: lead.userId, viewer, address, notes });
  return moved;
}
