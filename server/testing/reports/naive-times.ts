import type { FunnelFigures } from '#contract/reports/reports.calls.ts';
import { cameTo, isReachedOutcome, type Row } from './naive-counts.ts';
import type { StatusTimes } from './status-times.ts';

// The times of reports, found one by one.

const DAY_MS = 24 * 60 * 60_000;
const QUALIFIED = ['qualified', 'proposal', 'negotiation', 'closed_won'];

/** Undefined where there is none. */
const earliest = (times: (string | null | undefined)[]) => times.filter((at) => typeof at === 'string').sort()[0];
const toDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;
const round = (days: number) => Math.round(days * 10) / 10;

const median = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? null : round((low + high) / 2);
};

function findSteps(lead: Row, times: StatusTimes) {
  const since = lead.activities.filter(({ completedAt }) => (completedAt ?? '') >= lead.assignedAt);
  const contacts = since.filter(({ type }) => type !== 'note').map(({ completedAt }) => completedAt);
  const credit = lead.creditedAt && lead.creditedAt >= lead.assignedAt ? lead.creditedAt : null;
  return {
    assigned: lead.assignedAt,
    contacted: cameTo('contacted', lead) ? earliest([credit, ...contacts]) : undefined,
    reached: earliest(since.flatMap(({ outcome, completedAt }) => (isReachedOutcome(outcome) ? completedAt : []))),
    qualified: cameTo('qualified', lead) ? times.findEntry(lead.id, QUALIFIED) : undefined,
    won: cameTo('won', lead) ? times.findEntry(lead.id, ['closed_won']) : undefined,
  };
}

/** The median days between each two steps of the leads. */
export function findMedians(rows: Row[], times: StatusTimes): FunnelFigures['daysTo'] {
  const steps = rows.map((lead) => findSteps(lead, times));
  type Step = keyof (typeof steps)[number];
  const between = (from: Step, to: Step) =>
    median(
      steps.flatMap((lead) => {
        const [first, last] = [lead[from], lead[to]];
        return first && last && last >= first ? toDays(first, last) : [];
      }),
    );
  return {
    contacted: between('assigned', 'contacted'),
    reached: between('contacted', 'reached'),
    qualified: between('reached', 'qualified'),
    won: between('qualified', 'won'),
  };
}

/** Since when, on average, leads of one status have it, and their earliest contact. */
export function findAges(rows: Row[], now: string, times: StatusTimes) {
  const ages = rows.map((lead) => {
    const created = earliest([lead.createdAt, lead.assignedAt]) ?? now;
    return Math.max(0, toDays(times.findEntry(lead.id, [lead.status]) ?? created, now));
  });
  const contacts = rows.flatMap(({ activities, creditedAt, lastContactedAt }) => [
    creditedAt,
    ...(lastContactedAt ? activities.filter(({ type }) => type !== 'note').map(({ completedAt }) => completedAt) : []),
  ]);
  return {
    averageDays: rows.length ? round(ages.reduce((sum, days) => sum + days, 0) / rows.length) : null,
    oldestContact: earliest(contacts) ?? null,
  };
}
