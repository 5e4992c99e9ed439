import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import type { Activity, ActivityType, Lead, LeadBusiness, LeadStatus } from '#contract/leads/lead.ts';
import { isContact } from '#contract/leads/lead.ts';
import { type ActivityOutcome, OUTCOME, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { statusAfter } from '#contract/leads/log/status-after.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import type { OutboxEntry } from '#contract/outbox/entry.ts';

/** A lead as a profile, a list or Today shows it. */
export interface ShownLead {
  business: LeadBusiness;
  userBusiness: Lead & { contactActivities?: Activity[] };
  followUp?: { id: number; type: ActivityType; at: string; note: string; createdBy: number | null } | null;
}

interface Context {
  rules: OutcomeRules;
  viewerId: number;
}

/** Whether an activity is not on the server yet. */
export const isWaitingActivity = ({ id }: Pick<Activity, 'id'>) => id < 0;

/** The lead as it will be once its entries are sent. What the server has already is not changed by it. */
export function applyEntries<T extends ShownLead>(item: T, entries: readonly OutboxEntry[], context: Context): T {
  const own = entries.filter(({ lead, state }) => lead?.uuid === item.userBusiness.uuid && state !== 'refused');
  return own.reduce((shown, entry, index) => applyEntry(shown, entry, { ...context, nth: index + 1 }), item);
}

interface Contact {
  type?: ActivityType;
  outcome?: ActivityOutcome;
  note?: string;
  next?: FollowUpPlan;
}

/** The bodies that the hooks send, all in one. */
interface Sent extends Contact {
  status?: LeadStatus;
  notes?: string;
  tag?: string;
  phone?: string;
  website?: string;
  customFields?: Lead['customFields'];
  values?: Record<string, OwnValue | null>;
}

function applyEntry<T extends ShownLead>(item: T, entry: OutboxEntry, context: Context & { nth: number }): T {
  const { userBusiness: lead, business } = item;
  const withLead = (changes: Partial<Lead>): T => ({ ...item, userBusiness: { ...lead, ...changes } });
  const withBusiness = (changes: Partial<LeadBusiness>): T => ({ ...item, business: { ...business, ...changes } });
  // As the hooks of its kind have sent it.
  const body = (entry.body ?? {}) as Sent;
  switch (entry.kind) {
    case 'log':
      return applyContact(item, entry, body, context);
    case 'activity':
      return addActivity(item, entry, { type: body.type ?? 'note', note: body.notes ?? '' }, context);
    case 'status':
      return withLead({ status: body.status ?? lead.status });
    case 'notes':
      return withLead({ notes: body.notes ?? lead.notes });
    case 'detail':
      return withLead({ customFields: { ...lead.customFields, ...body.customFields } });
    case 'own-field': {
      const values = Object.entries({ ...lead.ownFields, ...body.values });
      return withLead({
        ownFields: Object.fromEntries(values.flatMap(([id, value]) => (value === null ? [] : [[id, value]]))),
      });
    }
    case 'tag':
      return withLead({ tags: [...lead.tags.filter((tag) => tag !== body.tag), ...(body.tag ? [body.tag] : [])] });
    case 'remove-tag':
      return withLead({ tags: lead.tags.filter((tag) => tag !== entry.params.tag) });
    case 'plan':
      return plan(item, entry.body as unknown as FollowUpPlan, context);
    case 'done': {
      const { type = 'call', note = '' } = item.followUp ?? {};
      return applyContact(item, entry, { ...body, type, note: body.note || note }, context);
    }
    case 'drop':
      return plan(item, undefined, context);
    case 'phone':
      return withBusiness({ phone: body.phone || null, phoneIsWrong: false });
    case 'phone-right':
      return withBusiness({ phoneIsWrong: false });
    case 'website':
      return withBusiness({ website: body.website || null });
    default:
      return item;
  }
}

function applyContact<T extends ShownLead>(
  item: T,
  entry: OutboxEntry,
  contact: Contact,
  context: Context & { nth: number },
): T {
  const { outcome, next } = contact;
  const type = contact.type ?? (outcome ? OUTCOME[outcome].type : 'call');
  const added = addActivity(item, entry, { type, note: contact.note ?? '', outcome }, context);
  const { userBusiness: lead, business } = added;
  const reached = outcome !== undefined && context.rules[outcome].reached;
  const isLogged = entry.kind === 'log' && outcome !== undefined;
  const status = isLogged ? statusAfter(lead.status, { outcome, reached, planned: next !== undefined }) : lead.status;
  const phoneIsWrong = outcome === 'wrong_number' ? business.phone !== null : business.phoneIsWrong;
  const changed = { ...added, business: { ...business, phoneIsWrong }, userBusiness: { ...lead, status } };
  return plan(changed, next, context);
}

interface Done {
  type: ActivityType;
  note: string;
  outcome?: ActivityOutcome | undefined;
}

function addActivity<T extends ShownLead>(
  item: T,
  { madeAt }: OutboxEntry,
  { type, note, outcome }: Done,
  context: Context & { nth: number },
): T {
  const { userBusiness: lead } = item;
  const activity: Activity = {
    ...{ id: -context.nth, userBusinessId: lead.id, type, description: note, outcome: outcome ?? null },
    ...{ scheduledAt: null, completedAt: madeAt, createdBy: context.viewerId, createdAt: madeAt, updatedAt: madeAt },
  };
  const last = lead.lastContactedAt;
  const lastContactedAt = isContact(type) && (last === null || last < madeAt) ? madeAt : last;
  const activities = lead.contactActivities && { contactActivities: [activity, ...lead.contactActivities] };
  // A contact completes what was planned.
  const planned = isContact(type) ? plan(item, undefined, context) : item;
  return { ...planned, userBusiness: { ...planned.userBusiness, lastContactedAt, ...activities } };
}

function plan<T extends ShownLead>(item: T, next: FollowUpPlan | undefined, { viewerId }: Context): T {
  const lead = {
    ...item.userBusiness,
    nextStepAt: next?.at ?? null,
    nextStepType: next ? (next.type ?? 'call') : null,
  };
  if (item.followUp === undefined) return { ...item, userBusiness: lead };
  const id = item.followUp?.id ?? 0;
  const followUp = next
    ? { id, type: next.type ?? 'call', at: next.at, note: next.note ?? '', createdBy: viewerId }
    : null;
  return { ...item, userBusiness: lead, followUp };
}
