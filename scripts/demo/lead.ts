import type { contactActivities, leads } from '#server/kit/db/schema.ts';
import type { Random } from './random.ts';

export type LeadRow = Omit<typeof leads.$inferInsert, 'userId' | 'businessId'>;
export type ActivityRow = Omit<typeof contactActivities.$inferInsert, 'userBusinessId' | 'createdBy'>;

/** A lead as the demo wants it: when it was assigned, and when it was first contacted, if ever. */
export interface Wanted {
  assignedAt: number;
  contactedAt: number | null;
  now: number;
  imported: boolean;
  email: string;
}

const UNTOUCHED = ['new', 'new', 'new', 'new', 'qualified'] as const;
const FRESH = ['in_progress', 'in_progress', 'recontact'] as const;
const LATER = [
  'in_progress',
  'recontact',
  'qualified',
  'proposal',
  'negotiation',
  'closed_won',
  'closed_lost',
  'closed_lost',
] as const;
const TAGS = ['Independent', 'Chain', 'Follow up', 'Decision maker', 'Referral', 'Price sensitive', 'Spring campaign'];
const NOTES = [
  'Opens at 8, best reached before the lunch rush.',
  'The owner decides alone. Likes to be called, does not read e-mail.',
  'Under contract elsewhere until the end of the quarter; ask again then.',
  'Second branch planned for next year.\nInterested in the larger package once it is open.',
  'Asked for references from the same trade.',
];
const SAID = {
  call: ['Spoke to the owner, call back next week.', 'Left a message with the assistant.', 'Good talk, wants a quote.'],
  email: ['Sent the introduction and the price list.', 'Answered the questions about set-up.', 'Sent the quote.'],
  meeting: ['Met on site, walked through the offer.', 'Coffee with both partners; decision at month end.'],
  note: ['Competitor poster in the window.', 'Closed on Mondays.', 'New manager since spring.'],
} as const;
const KINDS = ['call', 'call', 'email', 'meeting', 'note'] as const;
const DAY = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();

export function demoLead(wanted: Wanted, random: Random): { lead: LeadRow; activities: ActivityRow[] } {
  const { assignedAt, contactedAt, now } = wanted;
  const { chance, pick, some, whole } = random;
  const activities = contactedAt === null ? [] : activitiesSince(contactedAt, now, random);
  const old = contactedAt !== null && now - contactedAt > 7 * DAY;
  const status = contactedAt === null ? pick(UNTOUCHED) : pick(old ? LATER : FRESH);
  const archived = status === 'closed_lost' && chance(0.4);
  const customer = status === 'closed_won' && chance(0.25);
  const touchedAt = Math.max(assignedAt, ...activities.map((activity) => Date.parse(String(activity.createdAt))));
  const spoken = activities
    .filter((activity) => activity.type !== 'note')
    .map((activity) => String(activity.createdAt));
  return {
    activities,
    lead: {
      status,
      viewed: contactedAt !== null || chance(0.55),
      archived,
      archivedAt: archived ? iso(touchedAt) : null,
      existingCustomer: customer,
      existingCustomerAt: customer ? iso(touchedAt) : null,
      assignedAt: iso(assignedAt),
      creditedAt: contactedAt === null ? null : iso(contactedAt),
      lastContactedAt: contactedAt === null ? null : [iso(contactedAt), ...spoken].sort().at(-1),
      ...(contactedAt !== null && chance(0.5) && { notes: pick(NOTES), notesVersion: 1 }),
      tags: [...(wanted.imported ? ['Imported'] : []), ...some(TAGS, whole(0, 3))],
      customFields: {
        ...(chance(0.5) && { email: wanted.email }),
        ...(chance(0.4) && { contactPerson: pick(['Sam Reid', 'Alex Byrne', 'Jo Lindqvist', 'Kim Adeyemi']) }),
      },
      createdAt: iso(assignedAt),
      updatedAt: iso(touchedAt),
    },
  };
}

function activitiesSince(contactedAt: number, now: number, { between, pick, whole }: Random): ActivityRow[] {
  const moments = [contactedAt, ...Array.from({ length: whole(0, 3) }, () => between(contactedAt, now))];
  return moments
    .sort((a, b) => a - b)
    .map((moment, nth) => {
      // The first one is what earned the credit.
      const type = nth === 0 ? pick(['call', 'email', 'meeting'] as const) : pick(KINDS);
      return {
        type,
        description: pick(SAID[type]),
        completedAt: iso(moment),
        createdAt: iso(moment),
        updatedAt: iso(moment),
      };
    });
}
