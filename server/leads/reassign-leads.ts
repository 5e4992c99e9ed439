import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/kit/db/schema.ts';
import { leadColumns } from './leads.sql.ts';
import { recordAssignments } from './record-assignments.ts';

interface Reassignment {
  /** Locked by lockTarget, before the leads are. */
  target: { id: number };
  notes?: string | undefined;
  viewer: Viewer;
  ip: string;
}

/**
 * Moves locked leads to another user, except those on a business that the target already holds. For the new holder they
 * are not viewed and assigned now. Of several leads on one business only the first is moved.
 */
export async function reassignLeads(tx: Db, locked: Lead[], { target, notes, viewer, ip }: Reassignment) {
  const firstOnBusiness = new Map(locked.toReversed().map((lead) => [lead.businessId, lead.id]));
  const held = alias(leads, 'held');
  const heldByTarget = tx
    .select({ id: held.id })
    .from(held)
    .where(and(eq(held.userId, target.id), eq(held.businessId, leads.businessId)));
  const moved = await tx
    .update(leads)
    .set({ userId: target.id, viewed: false, assignedAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(inArray(leads.id, [...firstOnBusiness.values()]), notExists(heldByTarget)))
    .returning(leadColumns);
  const previousHolders = new Map(locked.map(({ id, userId }) => [id, userId]));
  const changes = moved.map((lead) => ({ lead, previousUserId: previousHolders.get(lead.id) }));
  await recordAssignments(tx, changes, { viewer, ip, notes });
  return moved;
}
