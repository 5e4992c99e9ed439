import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { auditAll } from '#server/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { assignmentHistory } from '#server/kit/db/schema.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';
import { buildNotices } from './hand-over-notices.ts';
import { findActiveUser } from './leads.sql.ts';

export const ALREADY_ASSIGNED = 'Business is already assigned to this user';

export const alreadyAssigned = () => new Refusal('already_assigned', ALREADY_ASSIGNED);

/** The user who is to hold a new lead, who stays active until the transaction ends. */
export async function requireTarget(tx: Db, userId: number) {
  const target = await findActiveUser(tx, userId, 'share');
  if (!target) throw invalidTarget();
  return target;
}

/**
 * The user who is to hold leads of others. Until the transaction ends no other call gives this user a lead: what the
 * target holds can be checked before it is written. Lock the target first and the leads after it, so that two calls
 * wait for each other instead of ending in a deadlock.
 */
export async function lockTarget(tx: Db, userId: number) {
  const target = await findActiveUser(tx, userId, 'no key update');
  if (!target) throw invalidTarget();
  return target;
}

const invalidTarget = () => new Refusal('invalid_target', 'The chosen user does not exist or is inactive');

/** A business is a lead of one user only once; the unique constraint has the last word. */
export async function refuseSecondLead<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = classifyFault(error);
    if (fault.kind === 'unique' && fault.constraint === 'user_businesses_one_per_user') throw alreadyAssigned();
    throw error;
  }
}

export interface HandOver {
  /** With its new holder. */
  lead: Lead;
  /** Absent when this is the first holder. */
  previousUserId?: number | undefined;
}

interface Circumstances {
  viewer: Viewer;
  ip: string;
  notes?: string | undefined;
}

/** Records that leads have a new holder: history, audit, and a notice to each user who gained or lost some. */
export async function recordHandOvers(tx: Db, handOvers: HandOver[], { viewer, ip, notes }: Circumstances) {
  if (!handOvers.length) return;
  await tx.insert(assignmentHistory).values(
    handOvers.map(({ lead, previousUserId }) => ({
      userBusinessId: lead.id,
      previousUserId: previousUserId ?? null,
      newUserId: lead.userId,
      changedBy: viewer.id,
      notes: notes || null,
      initial: previousUserId === undefined,
    })),
  );
  await insertNotifications(tx, await buildNotices(tx, handOvers, viewer));
  await auditAll(
    tx,
    handOvers.map(({ lead, previousUserId }) => ({
      event: previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned',
      actorId: viewer.id,
      subject: { type: 'lead', id: lead.id },
      ip,
      details: { newUserId: lead.userId, ...(previousUserId !== undefined && { previousUserId }) },
    })),
  );
}
