import { formatDate, formatMonthDay, formatTime, formatWeekday } from '#contract/format.ts';
import { atLocalTime, type LocalDate, toLocalDate } from '#contract/progress/calendar.ts';
import { zoneSuffix } from '#web/kit/format.ts';

/** "Today 16:00", "Tomorrow 10:00", "Mon 10:00" within a week, else "Nov 23, 10:00"; on the team's calendar and clock. */
export function formatDue(at: string, now: Date, timeZone: string): string {
  return `${formatDay(at, now, timeZone)} ${formatTime(at, timeZone)}${zoneSuffix(at, timeZone)}`;
}

function formatDay(at: string, now: Date, timeZone: string): string {
  const today = toLocalDate(timeZone, now);
  const day = toLocalDate(timeZone, new Date(at));
  const days = daysBetween(today, day);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  if (days === -1) return 'Yesterday';
  if (days > 1 && days < 7) return formatWeekday(at, timeZone);
  return `${today.year === day.year ? formatMonthDay(at, timeZone) : formatDate(at, timeZone)},`;
}

const DAY_MS = 24 * 60 * 60_000;
const toUtc = ({ year, month, day }: LocalDate) => Date.UTC(year, month - 1, day);
const daysBetween = (from: LocalDate, to: LocalDate) => Math.round((toUtc(to) - toUtc(from)) / DAY_MS);

export const isOverdue = (at: string, now: Date) => Date.parse(at) < now.getTime();

/** The value of an `<input type="datetime-local">` for a moment on the team's clock. */
export function toLocalInput(moment: Date, timeZone: string): string {
  const { year, month, day } = toLocalDate(timeZone, moment);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${year}-${pad(month)}-${pad(day)}T${formatTime(moment.toISOString(), timeZone)}`;
}

/** The moment that such an input stands for; undefined while it is incomplete. */
export function parseLocalInput(value: string, timeZone: string): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(value);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return atLocalTime(timeZone, { year, month, day }, hour, minute);
}
