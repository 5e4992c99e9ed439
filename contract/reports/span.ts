import { addDays, daysInMonth, type LocalDate, toWeekday } from '../progress/calendar.ts';
import { countDays, type Days, parseDay, toDayText } from './period.ts';

/** What the activity of a period is counted by. */
export const SPANS = ['day', 'week', 'month'] as const;
export type Span = (typeof SPANS)[number];

/** The longest periods that are counted by day, and by week: a month, and a quarter of 14 weeks. */
const MAX_DAYS = 31;
const MAX_WEEKS_DAYS = 98;

export function chooseSpan(days: Days): Span {
  const count = countDays(days);
  if (count <= MAX_DAYS) return 'day';
  return count <= MAX_WEEKS_DAYS ? 'week' : 'month';
}

/** The days, weeks or months of a period; of those at its edges, the days that are in it. */
export function listSpans({ from, to }: Days): Days[] {
  const span = chooseSpan({ from, to });
  const spans: Days[] = [];
  for (let first = from; first <= to; ) {
    const last = findLastDay(span, parseDay(first));
    const end = toDayText(last);
    spans.push({ from: first, to: end > to ? to : end });
    first = toDayText(addDays(last, 1));
  }
  return spans;
}

function findLastDay(span: Span, date: LocalDate): LocalDate {
  switch (span) {
    case 'day':
      return date;
    case 'week':
      return addDays(date, 7 - toWeekday(date));
    case 'month':
      return { ...date, day: daysInMonth(date) };
  }
}
