import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/kit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { faultOf } from '#server/kit/db/faults.ts';
import { assignmentHistory, businesses, users } from '#server/kit/db/schema.ts';
import { insertNotifications, type NewNotification } from '#server/notifications/notifications.sql.ts';
import { findActiveUser } from './leads.sql.ts';

export const alreadyAssigned = () => new Refusal('already_assigned', 'Business is already assigned to this user');

/** The user who is to hold a lead: somebody who exists and is active. */
export async function requireTarget(tx: Db, userId: number) {
  const target = await findActiveUser(tx, userId);
  if (!target) throw new Refusal('invalid_target', 'The chosen user does not exist or is inactive');
  return target;
}

/** A business is a lead of one user only once; the unique constraint has the last word. */
export async function refusingSecondLead<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind === 'unique' && fault.constraint === 'user_businesses_one_per_user') throw alreadyAssigned();
    throw error;
  }
}

interface HandOver {
  lead: Lead;
  /** Absent when this is the first holder. */
  previousUserId?: number;
  viewer: Viewer;
  address: string;
  notes?: string | undefined;
}

/** Writes down that a lead has come to its holder: history, audit, and a notice to who gained and who lost it. */
export async function recordHandOver(tx: Db, { lead, previousUserId, viewer, address, notes }: HandOver) {
  await tx.insert(assignmentHistory).values({
    userBusinessId: lead.id,
    previousUserId: previousUserId ?? null,
    newUserId: lead.userId,
    changedBy: viewer.id,
    notes: notes || null,
    initial: previousUserId === undefined,
  });
  await insertNotifications(tx, await noticesOf(tx, lead, previousUserId, viewer));
  await audit(tx, {
    event: previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned',
    actorId: viewer.id,
    subject: { type: 'lead', id: lead.id },
    address,
    details: { newUserId: lead.userId, ...(previousUserId !== undefined && { previousUserId }) },
  });
}

async function noticesOf(tx: Db, lead: Lead, previousUserId: number | undefined, viewer: Viewer) {
  const [names] = await tx
    .select({ business: businesses.name, by: users.fullName })
    .from(businesses)
    .innerJoin(users, eq(users.id, viewer.id))
    .where(eq(businesses.id, lead.businessId));
  const { business = 'A business', by = 'Somebody' } = names ?? {};
  const about = { relatedBusinessId: lead.businessId, relatedUserBusinessId: lead.id, sourceUserId: viewer.id };
  const gained: NewNotification = {
    ...about,
    userId: lead.userId,
    type: previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned_to',
    title: previousUserId === undefined ? 'New business assigned' : 'Business reassigned to you',
    message: `${by} assigned ${business} to you.`,
  };
  const lost: NewNotification[] =
    previousUserId === undefined
      ? []
      : [
          {
            ...about,
            userId: previousUserId,
            type: 'lead_reassigned_from',
            title: 'Business reassigned',
            message: `${by} reassigned ${business} to another user.`,
          },
        ];
  // Who gave a lead away knows; who holds a new one is told, even if they took it themselves.
  return [gained, ...lost.filter(({ userId }) => userId !== viewer.id)];
}
