import type { FunnelStep } from '#contract/leads/funnel-step.ts';
import { activityOutcome, DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import type { CallTime } from '#contract/reports/call-time.ts';
import type { ReportFilter, ReportGroup } from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import { OPEN_STATUSES } from '#contract/reports/pipeline.calls.ts';
import type { SlippedKind } from '#contract/reports/slipped.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, contactActivities, leads } from '#server/schema/leads.ts';

// The figures of reports, counted one by one.

const DAY_MS = 24 * 60 * 60_000;

/** Every lead with its business and its activities. */
export async function readRows(db: Db) {
  const activities = await db.select().from(contactActivities);
  const shops = new Map((await db.select().from(businesses)).map((shop) => [shop.id, shop]));
  return (await db.select().from(leads)).map((lead) => ({
    ...lead,
    shop: shops.get(lead.businessId),
    activities: activities.filter(({ userBusinessId }) => userBusinessId === lead.id),
  }));
}
export type Row = Awaited<ReturnType<typeof readRows>>[number];

export const isReachedOutcome = (outcome: string | null) =>
  activityOutcome.options.some((each) => each === outcome && DEFAULT_OUTCOMES[each].reached);

export function cameTo(step: FunnelStep, lead: Row): boolean {
  switch (step) {
    case 'assigned':
      return true;
    case 'contacted':
      return (lead.lastContactedAt ?? '') >= lead.assignedAt || cameTo('reached', lead);
    case 'reached': {
      const since = lead.activities.filter(({ completedAt }) => (completedAt ?? '') >= lead.assignedAt);
      return since.some(({ outcome }) => isReachedOutcome(outcome)) || cameTo('qualified', lead);
    }
    case 'qualified':
      return ['qualified', 'proposal', 'negotiation', 'closed_won'].includes(lead.status);
    case 'won':
      return lead.status === 'closed_won';
    case 'lost':
      return lead.status === 'closed_lost';
  }
}

export const newestOutcome = ({ activities }: Row) =>
  activities
    .filter(({ outcome, completedAt }) => outcome && completedAt)
    .sort((a, b) => (a.completedAt ?? '').localeCompare(b.completedAt ?? '') || a.id - b.id)
    .at(-1)?.outcome ?? 'none';

export const TIME_ZONE = 'Europe/London';
const localTime = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short', timeStyle: 'medium' });
/** "2026-10-25 01:30:00" on the team's clock. */
const toLocal = (at: string) => localTime.format(new Date(at));
export const toLocalDay = (at: string) => toLocal(at).slice(0, 10);
const isWithin = (at: string | null, { from, to }: Days) =>
  at !== null && toLocalDay(at) >= from && toLocalDay(at) <= to;

export const isCounted = (lead: Row, filter: ReportFilter, days: Days) =>
  isWithin(lead.assignedAt, days) && matches(lead, filter);

export const matches = (lead: Row, { user, types, tags, source, district }: ReportFilter) =>
  !lead.existingCustomer &&
  (user === undefined || lead.userId === user) &&
  (!types.length || types.includes(lead.shop?.type ?? '')) &&
  (!tags.length || tags.some((tag) => lead.tags.includes(tag))) &&
  (!source || lead.tags.includes('Imported') === (source === 'import')) &&
  (!district || (lead.shop?.formattedAddress ?? '').includes(district));

export const isOpen = ({ archived, status }: Row) => !archived && status !== 'closed_won' && status !== 'closed_lost';

export function isSlipped(kind: SlippedKind, lead: Row, now: Date): boolean {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const { nextStepAt, lastContactedAt, assignedAt } = lead;
  const isLoose = isOpen(lead) && !nextStepAt && lastContactedAt !== null;
  switch (kind) {
    case 'overdue':
      return !lead.archived && nextStepAt !== null && nextStepAt < before(0);
    case 'uncontacted':
      return isOpen(lead) && !lastContactedAt && assignedAt < before(3);
    case 'quiet':
      return isLoose && lastContactedAt < before(14);
    case 'loose':
      return isLoose && lastContactedAt >= before(14);
  }
}

/** The contacts of the days that were logged by the user, of leads with these traits. */
export const collectContacts = (rows: Row[], { user, ...traits }: ReportFilter, days: Days) =>
  rows
    .filter((lead) => matches(lead, { ...traits, user: undefined }))
    .flatMap(({ activities }) => activities)
    .filter(
      ({ type, completedAt, createdBy }) =>
        type !== 'note' && isWithin(completedAt, days) && (user === undefined || createdBy === user),
    );
type Contact = ReturnType<typeof collectContacts>[number];

export const countReached = (contacts: Contact[]) => contacts.filter(({ outcome }) => isReachedOutcome(outcome)).length;

export const countContacts = (contacts: Contact[]) => ({
  calls: contacts.filter(({ type }) => type === 'call').length,
  emails: contacts.filter(({ type }) => type === 'email').length,
  visits: contacts.filter(({ type }) => type === 'meeting').length,
  reached: countReached(contacts),
});

/** Leads, their value and how many have one, by status. */
export const sumUp = (rows: Row[]) =>
  OPEN_STATUSES.map((status) => {
    const some = rows.filter((lead) => lead.status === status);
    const values = some.flatMap(({ customFields }) => (customFields.value ? Number(customFields.value) : []));
    return { status, leads: some.length, value: values.reduce((sum, value) => sum + value, 0), valued: values.length };
  });

/** The weekday on the team's clock; Monday is 1. */
const toWeekday = (at: string) => new Date(toLocalDay(at)).getUTCDay() || 7;
export const isAtCallTime = (at: string | null, { weekday, hour }: CallTime) =>
  at !== null && toWeekday(at) === weekday && Number(toLocal(at).slice(11, 13)) === hour;

const toMonday = (at: string) =>
  new Date(Date.parse(toLocalDay(at)) - (toWeekday(at) - 1) * DAY_MS).toISOString().slice(0, 10);

export function toKeys(by: ReportGroup, lead: Row, { tags }: ReportFilter): string[] {
  const own = lead.tags.filter((tag) => tag !== 'Imported');
  const { kind, name } = lead.source ?? {};
  const keys: Record<ReportGroup, (string | null | undefined)[]> = {
    person: [String(lead.userId)],
    type: [lead.shop?.type],
    district: [/LS[0-9]/.exec(lead.shop?.formattedAddress ?? '')?.[0]],
    source: [name ? `${kind}:${name}` : kind],
    tag: own.length ? own.filter((tag) => !tags.length || tags.includes(tag)) : [undefined],
    week: [toMonday(lead.assignedAt)],
  };
  return keys[by].map((key) => key ?? '');
}
