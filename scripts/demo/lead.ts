import type { LeadStatus } from '#contract/leads/lead.ts';
import type { Random } from './random.ts';
import { NOTES, PLANNED, STORIES, type Step } from './stories.ts';
import type { WorkingHours } from './working-hours.ts';

/** What the holder lets happen to a lead: nothing special, a follow-up that is missed, or no contact for weeks. */
export type Fate = 'usual' | 'overdue' | 'quiet';

export interface LeadPlan {
  assignedAt: number;
  /** When it was first contacted, if ever. */
  contactedAt: number | null;
  fate: Fate;
}

interface Context {
  now: number;
  imported: boolean;
  email: string | null;
  hours: WorkingHours;
  random: Random;
}

const DAY = 86_400_000;
// More frequent ones are repeated.
const RECENT = ['in_progress', 'in_progress', 'recontact'] as const;
const LATER = [
  ...RECENT,
  ...(['qualified', 'proposal', 'proposal', 'negotiation', 'closed_won', 'closed_lost', 'closed_lost'] as const),
];
const TAGS = ['Independent', 'Chain', 'Decision maker', 'Referral', 'Price sensitive', 'Spring campaign'];
/** A price has been named, in whole units of the team's currency. */
const PRICED: readonly LeadStatus[] = ['proposal', 'negotiation', 'closed_won'];
const PRICES = ['480', '750', '1200', '1850', '2400', '3600', '5500'];
const CONTACTS = ['Sam Reid', 'Alex Byrne', 'Jo Lindqvist', 'Kim Adeyemi'];

const iso = (moment: number) => new Date(moment).toISOString();

/** A lead with its activities and the changes of its status. */
export function demoLead(plan: LeadPlan, context: Context) {
  const { assignedAt, contactedAt, fate } = plan;
  const { imported, email, random } = context;
  const { chance, pick, shuffle, whole } = random;
  const status = chooseStatus(plan, context);
  const activities = status === 'new' || contactedAt === null ? [] : tellStory(status, contactedAt, plan, context);
  const lastContact = activities.filter(({ type }) => type !== 'note').at(-1)?.createdAt ?? null;
  const followUp = fate === 'quiet' ? undefined : planFollowUp(status, fate, context);
  const updatedAt = activities.at(-1)?.createdAt ?? iso(assignedAt);
  const archived = status === 'closed_lost' && chance(0.4);
  const existingCustomer = status === 'closed_won' && chance(0.25);
  return {
    activities: followUp ? [...activities, { ...followUp, createdAt: updatedAt, updatedAt }] : activities,
    statusChanges: listStatusChanges(
      status,
      activities.map(({ createdAt }) => createdAt),
    ),
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
      lastContactedAt: lastContact,
      nextStepAt: followUp?.scheduledAt ?? null,
      nextStepType: followUp?.type ?? null,
      ...(contactedAt !== null && chance(0.5) && { notes: pick(NOTES), notesVersion: 1 }),
      source: imported ? { kind: 'file' as const, name: 'local-businesses.csv' } : { kind: 'search' as const },
      tags: [...(imported ? ['Imported'] : []), ...shuffle(TAGS).slice(0, whole(0, 2))],
      customFields: {
        ...(email && { email }),
        ...(chance(0.4) && { contactPerson: pick(CONTACTS) }),
        ...(PRICED.includes(status) && { value: pick(PRICES) }),
      },
    },
  };
}

function chooseStatus({ contactedAt, fate }: LeadPlan, { now, random: { pick } }: Context): LeadStatus {
  if (contactedAt === null) return 'new';
  if (fate !== 'usual') return fate === 'quiet' ? 'in_progress' : 'recontact';
  return pick(now - contactedAt > 7 * DAY ? LATER : RECENT);
}

/** The contacts that led to the status: the first at the moment of the credit, the others in the weeks after it. */
function tellStory(
  status: Exclude<LeadStatus, 'new'>,
  contactedAt: number,
  { fate }: LeadPlan,
  { now, hours, random }: Context,
) {
  const [first, ...later] = random.pick(STORIES[status]) as readonly [Step, ...Step[]];
  const until = fate === 'usual' ? now : Math.min(now, contactedAt + 4 * DAY);
  // A contact at the very moment of the first one has no working hour left after it.
  const moments = later.map(() => Math.max(contactedAt, hours.between(contactedAt, until))).sort((a, b) => a - b);
  return [first, ...later].map(([type, description, outcome], nth) => {
    const createdAt = iso(nth === 0 ? contactedAt : (moments[nth - 1] ?? contactedAt));
    const done = { scheduledAt: null as string | null, completedAt: createdAt as string | null };
    return { type, description, outcome: outcome ?? null, ...done, createdAt, updatedAt: createdAt };
  });
}

/** In working hours between last week and next week. What is planned for today is still to come, or moved to tomorrow. */
function planFollowUp(status: LeadStatus, fate: Fate, { now, hours, random: { chance, pick, whole } }: Context) {
  const steps = PLANNED[status];
  if (!steps || !(fate === 'overdue' || chance(0.6))) return undefined;
  const [type, description] = pick(steps);
  const days = fate === 'overdue' ? pick([-9, -6, -3, -2, -1]) : pick([-1, 0, 0, 1, 1, 2, 2, 3, 4, 5]);
  const [hour, minutes] = [whole(9, 16), pick([0, 30])];
  const onDay = (nth: number) => hours.workingDay(now, nth, hour) + minutes * 60_000;
  const scheduledAt = iso(days === 0 && onDay(0) < now ? onDay(1) : onDay(days));
  return { type, description, outcome: null, scheduledAt, completedAt: null };
}

/** The first contact moved the lead to In Progress, the last one to where it is now. */
function listStatusChanges(status: LeadStatus, moments: string[]) {
  const [first] = moments;
  const last = moments.at(-1);
  if (!first || !last) return [];
  const direct = moments.length === 1 || status === 'in_progress';
  if (direct) return [{ at: first, before: 'new' as LeadStatus, after: status }];
  return [
    { at: first, before: 'new' as LeadStatus, after: 'in_progress' as LeadStatus },
    { at: last, before: 'in_progress' as LeadStatus, after: status },
  ];
}
