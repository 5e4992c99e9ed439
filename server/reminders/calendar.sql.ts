import { and, eq, gte, lt, not, sql } from 'drizzle-orm';
import { mayContact } from '#contract/contact-rules/may-contact.ts';
import type { ActivityType } from '#contract/leads/lead.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { isOpenFollowUp } from '#server/leads/leads.sql.ts';
import { businesses, contactActivities, leads } from '#server/schema/leads.ts';
import { calendarFeeds } from '#server/schema/notifications.ts';
import { users } from '#server/schema/users.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';

const { userId, token, createdAt } = calendarFeeds;

/** Since when the user has a calendar address. */
export async function findFeed(db: Db, ownerId: number): Promise<string | null> {
  const [feed] = await db.select({ createdAt }).from(calendarFeeds).where(eq(userId, ownerId));
  return feed?.createdAt ?? null;
}

/** Creates the address of a user, or replaces its token. */
export async function setFeed(db: Db, ownerId: number, hash: string): Promise<string> {
  const [feed] = await db
    .insert(calendarFeeds)
    .values({ userId: ownerId, token: hash })
    .onConflictDoUpdate({ target: userId, set: { token: hash, createdAt: sql`now()` } })
    .returning({ createdAt });
  if (!feed) throw new Error('The calendar address was not written');
  return feed.createdAt;
}

/** Whether there was one. */
export async function deleteFeed(db: Db, ownerId: number): Promise<boolean> {
  const deleted = await db.delete(calendarFeeds).where(eq(userId, ownerId)).returning({ userId });
  return deleted.length > 0;
}

/** The active user whose address has this token. */
export async function findFeedOwner(db: Db, hash: string): Promise<number | undefined> {
  const [owner] = await db
    .select({ userId })
    .from(calendarFeeds)
    .innerJoin(users, and(eq(users.id, userId), users.active))
    .where(eq(token, hash));
  return owner?.userId;
}

export interface CalendarFollowUp {
  id: number;
  type: ActivityType;
  at: string;
  note: string;
  createdAt: string;
  updatedAt: string;
  uuid: string;
  businessName: string;
  phone: string | null;
}

/** The open follow-ups of a user in this time, the first ones where there are too many. */
export async function listCalendarFollowUps(
  db: Db,
  ownerId: number,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<CalendarFollowUp[]> {
  const activity = contactActivities;
  const rows = await db
    .select({
      id: activity.id,
      type: activity.type,
      at: leads.nextStepAt,
      note: activity.description,
      createdAt: activity.createdAt,
      updatedAt: activity.updatedAt,
      uuid: leads.uuid,
      businessName: businesses.name,
      placeId: businesses.placeId,
      // A number that was found to be wrong is not offered.
      phone: sql<
        string | null
      >`case when ${businesses.wrongPhone} is distinct from ${businesses.phone} then ${businesses.phone} end`,
    })
    .from(leads)
    .innerJoin(activity, and(eq(activity.userBusinessId, leads.id), isOpenFollowUp))
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .where(
      and(
        eq(leads.userId, ownerId),
        gte(leads.nextStepAt, from.toISOString()),
        lt(leads.nextStepAt, to.toISOString()),
        not(leads.archived),
      ),
    )
    .orderBy(leads.nextStepAt, leads.id)
    .limit(limit);
  const objections = await readObjections(db, rows);
  const { contactRules: rules } = await readTeamSettings(db);
  return rows.map(({ placeId: _, ...row }, nth) => {
    // A calendar asks no question before it calls.
    const { allowed } = mayContact('call', { objections: objections[nth] ?? [], rules });
    // The condition above excludes null.
    return { ...row, phone: allowed ? row.phone : null, at: row.at as string };
  });
}
