import { z } from 'zod';
import { addDays, type LocalDate, toWeekday } from '../progress/calendar.ts';

export const reportPeriod = z.enum(['this_week', 'last_week', 'month', 'quarter', 'year', 'days']);
export type ReportPeriod = z.infer<typeof reportPeriod>;

export const PERIOD_LABEL: Record<ReportPeriod, string> = {
  this_week: 'This week',
  last_week: 'Last week',
  month: 'This month',
  quarter: 'This quarter',
  year: 'This year',
  days: 'From–to',
};

/** Days such as 2026-03-04; both are inclusive. */
export interface Days {
  from: string;
  to: string;
}

/**
 * The days of a period, and those that it is compared with. A period that is not over ends today, and is compared with as
 * many days of the one before: the first 19 days of a month with the first 19 of the last one.
 */
export function resolvePeriod(period: Exclude<ReportPeriod, 'days'>, today: LocalDate): { days: Days; before: Days } {
  const monday = addDays(today, 1 - toWeekday(today));
  switch (period) {
    case 'this_week':
      return { days: toDays(monday, today), before: toDays(addDays(monday, -7), addDays(today, -7)) };
    case 'last_week':
      return {
        days: toDays(addDays(monday, -7), addDays(monday, -1)),
        before: toDays(addDays(monday, -14), addDays(monday, -8)),
      };
    case 'month':
      return sinceMonth(today.month, 1, today);
    case 'quarter':
      return sinceMonth(today.month - ((today.month - 1) % 3), 3, today);
    case 'year':
      return sinceMonth(1, 12, today);
  }
}

/** Chosen days are compared with as many days before them. */
export function resolveDays({ from, to }: Days): { days: Days; before: Days } {
  const first = parseDay(from);
  return { days: { from, to }, before: toDays(addDays(first, -countDays({ from, to })), addDays(first, -1)) };
}

/** `months` is the length of the period that began with this month of the year. */
function sinceMonth(month: number, months: number, today: LocalDate): { days: Days; before: Days } {
  const first = { year: today.year, month, day: 1 };
  const firstBefore = monthsEarlier(first, months);
  const sameDay = addDays(firstBefore, countFromTo(first, today) - 1);
  const lastBefore = addDays(first, -1);
  const end = countFromTo(sameDay, lastBefore) < 1 ? lastBefore : sameDay;
  return { days: toDays(first, today), before: toDays(firstBefore, end) };
}

function monthsEarlier({ year, month }: LocalDate, months: number): LocalDate {
  const index = year * 12 + month - 1 - months;
  return { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 };
}

const DAY_MS = 24 * 60 * 60_000;
const toUtc = ({ year, month, day }: LocalDate) => Date.UTC(year, month - 1, day);

/** Both inclusive; less than 1 where the last is before the first. */
const countFromTo = (first: LocalDate, last: LocalDate) => Math.round((toUtc(last) - toUtc(first)) / DAY_MS) + 1;

export const countDays = ({ from, to }: Days) => countFromTo(parseDay(from), parseDay(to));

/** The same days of the week before. */
export const toWeekBefore = ({ from, to }: Days): Days =>
  toDays(addDays(parseDay(from), -7), addDays(parseDay(to), -7));

export const toDayText = (date: LocalDate) => new Date(toUtc(date)).toISOString().slice(0, 10);
const toDays = (from: LocalDate, to: LocalDate): Days => ({ from: toDayText(from), to: toDayText(to) });

export function parseDay(text: string): LocalDate {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return { year, month, day };
}
