import { randomUUID } from 'node:crypto';
import { areaOf } from '#contract/districts/district.ts';
import { monthContaining, monthProgress, type TimeRange, toLocalDate } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import { TABLES as tables } from '#server/schema/tables.ts';
import { demoBusiness, demoDuplicate, isDuplicateOf, placesByUser } from './business.ts';
import { demoLead, type Fate, type LeadPlan } from './lead.ts';
import { createRandom, type Random } from './random.ts';
import { contactsThisMonth, type Member, NEGLECTFUL, TERRITORIES } from './team.ts';
import { createWorkingHours, type WorkingHours } from './working-hours.ts';

const DAY = 86_400_000;
const SEED = 20_240_229;
const LEADS_PER_DUPLICATE = 70;
const LISTED_PER_USER = 3;
const REASONS = ['Closer to the area', 'Holiday cover', 'Asked for a contact who knows the trade'];

interface User extends Member {
  id: number;
}

/** Leads for every user, in every status, with their activities of this month and last. */
export async function fillWithLeads(db: Db, users: User[], now: Date, timeZone: string) {
  const random = createRandom(SEED);
  const hours = createWorkingHours(timeZone, random);
  const [admin] = users as [User];
  const places = placesByUser(random);
  const months = monthsUntil(now, timeZone);
  const drafts = users.flatMap((user) =>
    planLeads(user, months, hours, random).map((plan) => {
      const place = places.get(user.username)?.pop();
      if (!place) throw new Error(`The territory of ${user.username} has too few places`);
      const imported = random.chance(0.2);
      return {
        user,
        previousUser: random.chance(0.12) ? random.pick(users.filter(({ id }) => id !== user.id)) : undefined,
        business: demoBusiness(place, imported, random),
        ...demoLead(plan, { imported, email: place.email, now: now.getTime(), hours, random }),
      };
    }),
  );
  for (const [nth, draft] of drafts.entries()) {
    const previous = drafts[nth - 1];
    if (previous?.user === draft.user && nth % LEADS_PER_DUPLICATE === 0)
      draft.business = demoDuplicate(previous.business);
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
      // The same hour two weeks earlier is a working day, too.
      const earlier = new Date(Date.parse(lead.assignedAt) - 14 * DAY).toISOString();
      return [
        { ...last, initial: true, newUserId: previousUser.id, changedAt: earlier },
        { ...last, initial: false, previousUserId: previousUser.id, notes: random.pick(REASONS) },
      ];
    }),
  );
  await insertStatusChanges(db, leads);
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
  const nth = leads.findIndex(({ business }, nth) => isDuplicateOf(business, leads[nth - 1]?.business));
  return {
    count: leads.length,
    duplicate: { keptId: leads[nth - 1]?.businessId ?? 0, otherId: leads[nth]?.businessId ?? 0 },
    // Of what is left in the territories.
    listed: users.flatMap(({ username }) =>
      (places.get(username) ?? []).slice(0, LISTED_PER_USER).map((place) => ({ place, username })),
    ),
  };
}

/** What the timelines of the leads show between their contacts. */
async function insertStatusChanges(
  db: Db,
  leads: { leadId: number; user: User; statusChanges: ReturnType<typeof demoLead>['statusChanges'] }[],
) {
  const changed = leads
    .flatMap(({ leadId, user, statusChanges }) =>
      statusChanges.map((change) => ({ ...change, leadId, userId: user.id, id: randomUUID() })),
    )
    .sort((a, b) => a.at.localeCompare(b.at));
  await db
    .insert(tables.changeBatches)
    .values(
      changed.map(({ id, at, userId }) => ({ id, at, userId, kind: 'status', source: 'profile', count: 1 }) as const),
    );
  await db
    .insert(tables.changes)
    .values(
      changed.map(
        ({ id, leadId, before, after }) => ({ batchId: id, leadId, field: 'status', before, after }) as const,
      ),
    );
}

/** Last month and this one until now, in the team's time zone, and the share of this month that has passed. */
function monthsUntil(now: Date, timeZone: string) {
  const { from } = monthContaining(timeZone, now);
  const lastMonth = monthContaining(timeZone, new Date(from.getTime() - 1));
  return { lastMonth, thisMonth: { from, to: now }, elapsed: monthProgress(toLocalDate(timeZone, now)) / 100 };
}

/** When each lead of a member was assigned, and when it was first contacted. Each member has one overdue and one quiet lead. */
function planLeads(
  member: Member,
  { elapsed, thisMonth, lastMonth }: ReturnType<typeof monthsUntil>,
  hours: WorkingHours,
  random: Random,
): LeadPlan[] {
  const now = thisMonth.to.getTime();
  const contacted = (count: number, { from, to }: TimeRange, chooseFate: () => Fate): LeadPlan[] =>
    Array.from({ length: count }, () => {
      const contactedAt = hours.between(from.getTime(), to.getTime());
      const assignedAt = hours.between(contactedAt - 12 * DAY, contactedAt - DAY);
      return { contactedAt, assignedAt, fate: chooseFate() };
    });
  const fates: Fate[] = member.username === NEGLECTFUL ? ['overdue', 'quiet', 'usual', 'usual'] : ['usual'];
  const longAgo = { from: new Date(now - 45 * DAY), to: new Date(now - 35 * DAY) };
  const untouched = Array.from({ length: member.untouched }, () => ({
    contactedAt: null,
    assignedAt: hours.between(now - 20 * DAY, now),
    fate: 'usual' as const,
  }));
  return [
    ...contacted(1, longAgo, () => 'overdue'),
    ...contacted(1, longAgo, () => 'quiet'),
    ...contacted(contactsThisMonth(member, elapsed), thisMonth, () => random.pick(fates)),
    ...contacted(Math.round(member.monthlyGoal * member.lastMonth), lastMonth, () => random.pick(fates)),
    ...untouched,
  ];
}
