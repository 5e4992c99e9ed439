import { formatDate, formatMonthDay, formatTime } from '#contract/format.ts';
import type { StopReason } from '#contract/leads/trip/trip.ts';
import { toLocalDate } from '#contract/progress/calendar.ts';

/** "0.4 miles", "12 miles" */
export const formatMiles = (miles: number) => `${miles < 10 ? miles.toFixed(1) : Math.round(miles)} miles`;

/** "Overdue since Nov 12", "Overdue since 09:00", "Due today", "0.4 miles away" */
export function formatReason(reason: StopReason, now: Date, timeZone: string): string {
  if (reason.kind === 'near') return `${formatMiles(reason.miles)} away`;
  const [dueYear, dueDay] = toDay(new Date(reason.at), timeZone);
  const [year, today] = toDay(now, timeZone);
  const isToday = dueDay === today;
  const day = dueYear === year ? formatMonthDay(reason.at, timeZone) : formatDate(reason.at, timeZone);
  if (isOverdue(reason, now)) return `Overdue since ${isToday ? formatTime(reason.at, timeZone) : day}`;
  return isToday ? 'Due today' : `Due ${day}`;
}

export const isOverdue = (reason: StopReason, now: Date) =>
  reason.kind === 'due' && Date.parse(reason.at) < now.getTime();

function toDay(moment: Date, timeZone: string): [year: number, day: string] {
  const { year, month, day } = toLocalDate(timeZone, moment);
  return [year, `${year}-${month}-${day}`];
}
