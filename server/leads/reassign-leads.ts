import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { markRemindersRead } from '#server/notifications/notifications.sql.ts';
import { leads } from '#server/schema/leads.ts';
import { leadColumns } from './leads.sql.ts';
import { recordAssignments } from './record-assignments.ts';

interface Reassignment {
  /** Locked by lockTarget, before the leads are. */
  target: { id: number };
  notes?: string | undefined;
  viewer: Viewer;
  ip: string;
  log: ChangeLog;
  /** One of several requests, whose notifications are merged. */
  merged?: boolean;
}

/**
 * Moves locked leads to another user, except those on a business that the target already holds. For the new holder they
 * are not viewed and assigned now. Of several leads on one business only the first is moved.
 */
export async function reassignLeads(
  tx: Db,
  locked: Lead[],
  { target, notes, viewer, ip, log, merged = false }: Reassignment,
) {
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
  const previous = new Map(locked.map((lead) => [lead.id, lead]));
  const changes = moved.flatMap((lead) => {
    const before = previous.get(lead.id);
    return before ? [{ lead, before }] : [];
  });
  for (const { lead, before } of changes) {
    log.addLead(lead.id, 'holder', { before: pickHolder(before), after: pickHolder(lead) });
  }
  // A reminder that the previous holder got is no longer theirs to act on.
  const planned = moved.filter(({ nextStepAt }) => nextStepAt !== null).map(({ id }) => id);
  if (planned.length) await markRemindersRead(tx, planned);
  await recordAssignments(
    tx,
    changes.map(({ lead, before }) => ({ lead, previousUserId: before.userId })),
    { viewer, ip, notes, notices: { batch: log.batchId, merged } },
  );
  return moved;
}

/** What a change of the holder changes. */
export const pickHolder = ({ userId, assignedAt, viewed }: Lead) => ({ userId, assignedAt, viewed });
