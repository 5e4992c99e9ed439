import type { ActivityOutcome } from '#contract/leads/follow-ups/follow-up.ts';
import type { Random } from './random.ts';

/** When a lead was assigned, and when it was first contacted, if ever. */
interface Plan {
  assignedAt: number;
  contactedAt: number | null;
  now: number;
  imported: boolean;
  email: string | null;
  /** The holder contacts once and misses what was planned. */
  neglected: boolean;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
// More frequent ones are repeated.
const UNTOUCHED = ['new', 'new', 'new', 'new', 'qualified'] as const;
const RECENT = ['in_progress', 'in_progress', 'recontact'] as const;
const CLOSED = ['closed_won', 'closed_lost', 'closed_lost'] as const;
const LATER = ['in_progress', 'recontact', 'qualified', 'proposal', 'negotiation', ...CLOSED] as const;
const TAGS = ['Independent', 'Chain', 'Follow up', 'Decision maker', 'Referral', 'Price sensitive', 'Spring campaign'];
const CONTACTS = ['Sam Reid', 'Alex Byrne', 'Jo Lindqvist', 'Kim Adeyemi'];
const NOTES = [
  'Opens at 8, best reached before the lunch rush.',
  'The owner decides alone. Likes to be called, does not read e-mail.',
  'Under contract elsewhere until the end of the quarter; ask again then.',
  'Second branch planned for next year.\nInterested in the larger package once it is open.',
  'Asked for references from the same trade.',
];
const DESCRIPTIONS = {
  call: ['Spoke to the owner, call back next week.', 'Left a message with the assistant.', 'Good talk, wants a quote.'],
  email: ['Sent the introduction and the price list.', 'Answered the questions about set-up.', 'Sent the quote.'],
  meeting: ['Met on site, walked through the offer.', 'Coffee with both partners; decision at month end.'],
  note: ['Competitor poster in the window.', 'Closed on Mondays.', 'New manager since spring.'],
};
/** What came of a call, as its description says. */
const OUTCOMES: Record<string, ActivityOutcome> = {
  'Spoke to the owner, call back next week.': 'call_back',
  'Left a message with the assistant.': 'left_message',
  'Good talk, wants a quote.': 'spoke',
};
const PLANNED = ['Promised to call back.', 'Ask whether the quote fits.', 'The owner is back from holiday then.', ''];
const FIRST_CONTACT = ['call', 'email', 'meeting'] as const;
const LATER_ACTIVITY = ['call', 'call', 'email', 'meeting', 'note'] as const;

const iso = (moment: number) => new Date(moment).toISOString();

/** A lead and its activities. */
export function demoLead({ assignedAt, contactedAt, now, imported, email, neglected }: Plan, random: Random) {
  const { chance, pick, shuffle, whole } = random;
  const activities = contactedAt === null ? [] : buildActivities(contactedAt, neglected ? contactedAt : now, random);
  const contacts = activities.filter(({ type }) => type !== 'note');
  const old = contactedAt !== null && now - contactedAt > 7 * DAY;
  const status = contactedAt === null ? pick(UNTOUCHED) : pick(old ? LATER : RECENT);
  const archived = status === 'closed_lost' && chance(0.4);
  const existingCustomer = status === 'closed_won' && chance(0.25);
  const updatedAt = activities.at(-1)?.createdAt ?? iso(assignedAt);
  const followUp =
    isOpen(status) && chance(neglected ? 0.6 : status === 'recontact' ? 0.8 : 0.25)
      ? planFollowUp(now, neglected, random)
      : undefined;
  return {
    activities: followUp ? [...activities, { ...followUp, createdAt: updatedAt, updatedAt }] : activities,
    lead: {
      status,
      archived,
      existingCustomer,
      updatedAt,
      viewed: contactedAt !== null || chance(0.55),
      archivedAt: archived ? updatedAt : null,
      existingCustomerAt: existingCustomer ? updatedAt : null,
      assignedAt: iso(assignedAt),
      createdAt: iso(assignedAt),
      creditedAt: contactedAt === null ? null : iso(contactedAt),
      lastContactedAt: contacts.at(-1)?.createdAt ?? null,
      nextStepAt: followUp?.scheduledAt ?? null,
      nextStepType: followUp?.type ?? null,
      ...(contactedAt !== null && chance(0.5) && { notes: pick(NOTES), notesVersion: 1 }),
      tags: [...(imported ? ['Imported'] : []), ...shuffle(TAGS).slice(0, whole(0, 3))],
      customFields: {
        ...(email && { email }),
        ...(chance(0.4) && { contactPerson: pick(CONTACTS) }),
      },
    },
  };
}

/** The first contact, which earned the credit, and up to three later activities; one may be a promise kept late. */
function buildActivities(contactedAt: number, until: number, { between, chance, pick, whole }: Random) {
  const later = Array.from({ length: until > contactedAt ? whole(0, 3) : 0 }, () => between(contactedAt, until));
  later.sort((a, b) => a - b);
  return [contactedAt, ...later].map((moment, nth) => {
    const type = pick(nth === 0 ? FIRST_CONTACT : LATER_ACTIVITY);
    const createdAt = iso(moment);
    const description = pick(DESCRIPTIONS[type]);
    const outcome = OUTCOMES[description] ?? null;
    const scheduledAt = nth > 0 && type === 'call' && chance(0.3) ? iso(moment - whole(2, 50) * HOUR) : null;
    return { type, description, outcome, scheduledAt, completedAt: createdAt, createdAt, updatedAt: createdAt };
  });
}

const isOpen = (status: string) => status === 'recontact' || status === 'in_progress' || status === 'negotiation';

/** In office hours between last week and next week: some are overdue, some due today; neglected ones are all overdue. */
function planFollowUp(now: number, neglected: boolean, { pick, whole }: Random) {
  const day =
    Math.floor(now / DAY) * DAY + pick(neglected ? [-9, -5, -3, -2] : [-5, -2, -1, 0, 0, 0, 1, 1, 2, 3, 6]) * DAY;
  return {
    type: pick(['call', 'call', 'call', 'meeting', 'email'] as const),
    description: pick(PLANNED),
    scheduledAt: iso(day + whole(9, 16) * HOUR + pick([0, 0.5]) * HOUR),
    completedAt: null,
  };
}
