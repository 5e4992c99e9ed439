import { formatMonthDay, formatWeekday } from '#contract/format.ts';
import type { Days } from '#contract/reports/period.ts';
import type { Span } from '#contract/reports/span.ts';
import { formatDate } from '#web/kit/format.ts';

/** "on Nov 2, 2026", "Nov 1, 2026 to Nov 19, 2026". A day without a time is midnight in UTC. */
export const formatDays = ({ from, to }: Days) =>
  from === to ? `on ${formatDate(from, 'UTC')}` : `${formatDate(from, 'UTC')} to ${formatDate(to, 'UTC')}`;

/** "Mon, Nov 2", the week "Nov 2 to 8", "Oct 26 to Nov 1", the month "Nov 1 to 30, 2026". */
export function formatSpan(by: Span, { from, to }: Days): string {
  const first = formatMonthDay(from, 'UTC');
  if (by === 'day') return `${formatWeekday(from, 'UTC')}, ${first}`;
  const last = formatMonthDay(to, 'UTC');
  const ofMonth = from.slice(0, 7) === to.slice(0, 7) ? last.replace(/^\w+ /, '') : last;
  const days = from === to ? first : `${first} to ${ofMonth}`;
  // Months may be those of more than one year.
  return by === 'week' ? days : `${days}, ${to.slice(0, 4)}`;
}
