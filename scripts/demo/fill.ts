import type { Db } from '#server/kit/db/db.ts';
import * as tables from '#server/kit/db/schema.ts';
import { SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { demoBusiness } from './business.ts';
import { monthsAround } from './calendar.ts';
import { demoLead } from './lead.ts';
import { type Random, seeded } from './random.ts';
import { contactsThisMonth, type Member, TEAM } from './team.ts';

const DAY = 86_400_000;
const BATCH = 200;

interface Person extends Member {
  id: number;
}

/** Leads for everybody, in every status, with what happened to them this month and last. */
export async function fillWithLeads(db: Db, people: Person[], now: Date, timeZone: string): Promise<number> {
  const random = seeded(20_240_229);
  const [admin] = people;
  if (!admin) throw new Error(`the demo team has ${TEAM.length} members, and none is here`);
  const planned = people.flatMap((person) =>
    planFor(person, monthsAround(now, timeZone), random).map((plan) => ({ ...plan, person })),
  );

  const drafts = planned.map(({ person, ...moments }, nth) => {
    const imported = random.chance(0.2);
    const { email, ...business } = demoBusiness(nth + 1, imported, random);
    const before = random.chance(0.12) ? random.pick(people.filter(({ id }) => id !== person.id)) : undefined;
    return {
      person,
      before,
      imported,
      business,
      ...demoLead({ ...moments, imported, email, now: now.getTime() }, random),
    };
  });
  const businessIds = await insertAll(drafts, (rows) =>
    db
      .insert(tables.businesses)
      .values(rows.map(({ business }) => business))
      .returning({ id: tables.businesses.id }),
  );
  const leadIds = await insertAll(
    drafts.map(({ lead, person }, nth) => ({ ...lead, userId: person.id, businessId: businessIds[nth] as number })),
    (rows) => db.insert(tables.leads).values(rows).returning({ id: tables.leads.id }),
  );
  const stories = drafts.map((draft, nth) => ({
    ...draft,
    leadId: leadIds[nth] as number,
    businessId: businessIds[nth] as number,
  }));
  type Story = (typeof stories)[number];

  await insertEach(stories.flatMap(activitiesOf), (rows) => db.insert(tables.contactActivities).values(rows));
  await insertEach(stories.flatMap(creditOf), (rows) => db.insert(tables.contactCredits).values(rows));
  await insertEach(stories.flatMap(historyOf), (rows) => db.insert(tables.assignmentHistory).values(rows));
  await insertEach(stories.flatMap(notificationOf), (rows) => db.insert(tables.notifications).values(rows));
  return stories.length;

  function activitiesOf({ activities, leadId, person }: Story) {
    return activities.map((activity) => ({ ...activity, userBusinessId: leadId, createdBy: person.id }));
  }

  function creditOf({ lead, leadId, person }: Story) {
    if (!lead.creditedAt) return [];
    return [{ leadId, userId: person.id, creditedAt: lead.creditedAt, counted: !lead.existingCustomer }];
  }

  function historyOf({ lead, leadId, person, before }: Story) {
    const changedBy = (admin as Person).id;
    const first = { userBusinessId: leadId, changedBy, changedAt: lead.assignedAt, initial: true };
    if (!before) return [{ ...first, newUserId: person.id }];
    const earlier = new Date(Date.parse(String(lead.assignedAt)) - 9 * DAY).toISOString();
    const notes = random.pick(['Closer to the area', 'Holiday cover', 'Asked for somebody who knows the trade']);
    return [
      { ...first, newUserId: before.id, changedAt: earlier },
      { ...first, initial: false, previousUserId: before.id, newUserId: person.id, notes },
    ];
  }

  function notificationOf({ lead, leadId, businessId, business, person, before }: Story) {
    const { id } = admin as Person;
    // Nobody is told what they have done themselves, and after two weeks nobody asks any more.
    if (person.id === id || now.getTime() - Date.parse(String(lead.assignedAt)) > 14 * DAY) return [];
    return [
      {
        userId: person.id,
        type: before ? ('lead_reassigned_to' as const) : ('lead_assigned' as const),
        title: before ? 'Business reassigned to you' : 'New business assigned',
        message: `${SOURCE_NAME} assigned ${business.name} to you.`,
        relatedBusinessId: businessId,
        relatedUserBusinessId: leadId,
        sourceUserId: id,
        read: lead.viewed ?? false,
        createdAt: lead.assignedAt as string,
      },
    ];
  }
}

/** When each lead of somebody was assigned, and when it was first contacted. */
function planFor(person: Member, { elapsed, thisMonth, lastMonth }: ReturnType<typeof monthsAround>, random: Random) {
  const contacted = (count: number, { from, to }: { from: number; to: number }) =>
    Array.from({ length: count }, () => random.between(from, to)).map((contactedAt) => ({
      contactedAt,
      assignedAt: contactedAt - random.between(0.2, 12) * DAY,
    }));
  const untouched = Array.from({ length: person.untouched }, () => ({
    contactedAt: null,
    assignedAt: thisMonth.to - random.between(0, 20) * DAY,
  }));
  return [
    ...contacted(contactsThisMonth(person, elapsed), thisMonth),
    ...contacted(Math.round(person.monthlyGoal * person.lastMonth), lastMonth),
    ...untouched,
  ];
}

async function insertAll<T>(rows: T[], insert: (rows: T[]) => PromiseLike<{ id: number }[]>): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    for (const { id } of await insert(rows.slice(at, at + BATCH))) ids.push(id);
  }
  return ids;
}

async function insertEach<T>(rows: T[], insert: (rows: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) await insert(rows.slice(at, at + BATCH));
}
