import { type SQL, sql } from 'drizzle-orm';
import type { FollowUpDue, LeadFilter } from '#contract/leads/lead-filter.ts';
import {
  addDays,
  endOfDay,
  type LocalDate,
  startOfDay,
  toLocalDate,
  weekContaining,
} from '#contract/progress/calendar.ts';

/** When a list is read, and in which time zone its days begin. */
export interface ListTime {
  now: Date;
  timeZone: string;
}

type Days = Pick<LeadFilter, 'contactedFrom' | 'contactedTo' | 'assignedFrom' | 'assignedTo'>;

export const isContactedIn = ({ contactedFrom, contactedTo }: Days, time: ListTime): SQL[] =>
  isBetween(sql`lead.last_contacted_at`, contactedFrom, contactedTo, time);

export const isAssignedIn = ({ assignedFrom, assignedTo }: Days, time: ListTime): SQL[] =>
  isBetween(sql`lead.assigned_at`, assignedFrom, assignedTo, time);

export function isPlannedFor(due: FollowUpDue, { now, timeZone }: ListTime): SQL {
  const dayEnds = endOfDay(timeZone, now);
  const within = (from: Date, to: Date) => sql`lead.next_step_at >= ${at(from)} and lead.next_step_at < ${at(to)}`;
  switch (due) {
    case 'none':
      return sql`lead.next_step_at is null`;
    case 'any':
      return sql`lead.next_step_at is not null`;
    case 'overdue':
      return sql`lead.next_step_at < ${at(now)}`;
    case 'due':
      return sql`lead.next_step_at < ${at(dayEnds)}`;
    case 'today':
      return within(startOfDay(timeZone, toLocalDate(timeZone, now)), dayEnds);
    case 'week': {
      const { from, to } = weekContaining(timeZone, now);
      return within(from, to);
    }
  }
}

/** Both days are inclusive. */
function isBetween(column: SQL, from: string | undefined, to: string | undefined, time: ListTime): SQL[] {
  const conditions: SQL[] = [];
  if (from) conditions.push(sql`${column} >= ${at(startOfDay(time.timeZone, toDay(from, time)))}`);
  if (to) conditions.push(sql`${column} < ${at(startOfDay(time.timeZone, addDays(toDay(to, time), 1)))}`);
  return conditions;
}

/** 2026-03-04, or 30d for the day 30 days ago. */
function toDay(value: string, { now, timeZone }: ListTime): LocalDate {
  if (value.endsWith('d')) return addDays(toLocalDate(timeZone, now), -Number(value.slice(0, -1)));
  const [year = 0, month = 1, day = 1] = value.split('-').map(Number);
  return { year, month, day };
}

const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
