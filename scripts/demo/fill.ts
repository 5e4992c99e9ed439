import { areaOf } from '#contract/districts/district.ts';
import { monthContaining, monthProgress, type TimeRange, toLocalDate } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import * as tables from '#server/kit/db/schema.ts';
import { SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import { demoBusiness, demoDuplicate, demoPlaces } from './business.ts';
import { demoLead } from './lead.ts';
import { createRandom, type Random } from './random.ts';
import { contactsThisMonth, type Member, NEGLECTFUL, TERRITORIES } from './team.ts';

const DAY = 86_400_000;
const SEED = 20_240_229;
const LEADS_PER_DUPLICATE = 70;
const REASONS = ['Closer to the area', 'Holiday cover', 'Asked for a contact who knows the trade'];

interface User extends Member {
  id: number;
}

/** Leads for every user, in every status, with their activities of this month and last. Returns how many. */
export async function fillWithLeads(db: Db, users: User[], now: Date, timeZone: string): Promise<number> {
  const random = createRandom(SEED);
  const [admin] = users as [User];
  const places = demoPlaces(random);
  const months = monthsUntil(now, timeZone);
  const planned = users.flatMap((user) => planLeads(user, months, random).map((moments) => ({ user, moments })));
  const drafts = planned.map(({ user, moments }, nth) => {
    const place = places[nth] as (typeof places)[number];
    const imported = random.chance(0.2);
    const neglected = user.username === NEGLECTFUL;
    return {
      user,
      previousUser: random.chance(0.12) ? random.pick(users.filter(({ id }) => id !== user.id)) : undefined,
      business: demoBusiness(place, imported, random),
      ...demoLead({ ...moments, imported, email: place.email, now: now.getTime(), neglected }, random),
    };
  });
  for (const [nth, draft] of drafts.entries()) {
    const previous = drafts[nth - 1];
    if (previous && nth % LEADS_PER_DUPLICATE === 0) draft.business = demoDuplicate(previous.business);
  }
  const businessIds = await db
    .insert(tables.businesses)
    .values(drafts.map(({ business }) => business))
    .returning({ id: tables.businesses.id });
  const leadIds = await db
    .insert(tables.leads)
    .values(drafts.map(({ lead, user }, nth) => ({ ...lead, userId: user.id, businessId: businessIds[nth]?.id ?? 0 })))
    .returning({ id: tables.leads.id });
  const leads = drafts.map((draft, nth) => ({
    ...draft,
    leadId: leadIds[nth]?.id ?? 0,
    businessId: businessIds[nth]?.id ?? 0,
  }));

  await db
    .insert(tables.contactActivities)
    .values(
      leads.flatMap(({ activities, leadId, user }) =>
        activities.map((activity) => ({ ...activity, userBusinessId: leadId, createdBy: user.id })),
      ),
    );
  await db
    .insert(tables.contactCredits)
    .values(
      leads.flatMap(({ lead, leadId, user }) =>
        lead.creditedAt
          ? [{ leadId, userId: user.id, creditedAt: lead.creditedAt, counted: !lead.existingCustomer }]
          : [],
      ),
    );
  await db.insert(tables.assignmentHistory).values(
    leads.flatMap(({ lead, leadId, user, previousUser }) => {
      const last = { userBusinessId: leadId, changedBy: admin.id, changedAt: lead.assignedAt, newUserId: user.id };
      if (!previousUser) return [{ ...last, initial: true }];
      const earlier = new Date(Date.parse(lead.assignedAt) - 9 * DAY).toISOString();
      return [
        { ...last, initial: true, newUserId: previousUser.id, changedAt: earlier },
        { ...last, initial: false, previousUserId: previousUser.id, notes: random.pick(REASONS) },
      ];
    }),
  );
  // An admin's own changes notify others only, and old notifications have been deleted.
  const notified = leads.filter(
    ({ lead, user }) => user.id !== admin.id && now.getTime() - Date.parse(lead.assignedAt) < 14 * DAY,
  );
  await db.insert(tables.notifications).values(
    notified.map(({ lead, leadId, businessId, business, user, previousUser }) => ({
      userId: user.id,
      type: previousUser ? ('lead_reassigned_to' as const) : ('lead_assigned' as const),
      title: previousUser ? 'Business reassigned to you' : 'New business assigned',
      message: `${SOURCE_NAME} assigned ${business.name} to you.`,
      relatedBusinessId: businessId,
      relatedUserBusinessId: leadId,
      sourceUserId: admin.id,
      read: lead.viewed,
      createdAt: lead.assignedAt,
    })),
  );
  await db.insert(tables.territoryDistricts).values(
    users.flatMap(({ id, username }) => {
      const owned = UK_DISTRICTS.filter(({ code }) => TERRITORIES[username]?.includes(areaOf(code)));
      return owned.map(({ code }) => ({ userId: id, district: code, setBy: admin.id }));
    }),
  );
  return leads.length;
}

/** Last month and this one until now, in the team's time zone, and the share of this month that has passed. */
function monthsUntil(now: Date, timeZone: string) {
  const { from } = monthContaining(timeZone, now);
  const lastMonth = monthContaining(timeZone, new Date(from.getTime() - 1));
  return { lastMonth, thisMonth: { from, to: now }, elapsed: monthProgress(toLocalDate(timeZone, now)) / 100 };
}

/** When each lead of a member was assigned, and when it was first contacted. */
function planLeads(member: Member, { elapsed, thisMonth, lastMonth }: ReturnType<typeof monthsUntil>, random: Random) {
  const contacted = (count: number, { from, to }: TimeRange) =>
    Array.from({ length: count }, () => {
      const contactedAt = random.between(from.getTime(), to.getTime());
      return { contactedAt, assignedAt: contactedAt - random.between(0.2, 12) * DAY };
    });
  const untouched = Array.from({ length: member.untouched }, () => ({
    contactedAt: null,
    assignedAt: thisMonth.to.getTime() - random.between(0, 20) * DAY,
  }));
  return [
    ...contacted(contactsThisMonth(member, elapsed), thisMonth),
    ...contacted(Math.round(member.monthlyGoal * member.lastMonth), lastMonth),
    ...untouched,
  ];
}
