/** Days, weeks and months in the team's time zone (TIME_ZONE). */

export interface LocalDate {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

/** In the order of `toWeekday`, which begins with 1. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A half-open interval: `to` is excluded. */
export interface TimeRange {
  from: Date;
  to: Date;
}

const MINUTE_MS = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day at a moment. */
export function toLocalDate(timeZone: string, moment: Date): LocalDate {
  const { year, month, day } = wallClock(timeZone, moment);
  return { year, month, day };
}

/** The same as ISO 8601, which every spreadsheet reads: 2026-03-04. */
export function toIsoDay(timeZone: string, moment: Date): string {
  const { year, month, day } = toLocalDate(timeZone, moment);
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Monday is 1, and Sunday 7, so that a week is complete on its last day and not on its first. */
export function toWeekday({ year, month, day }: LocalDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}

export const daysInMonth = ({ year, month }: Pick<LocalDate, 'year' | 'month'>) =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

export function addDays({ year, month, day }: LocalDate, days: number): LocalDate {
  const shifted = new Date(Date.UTC(year, month - 1, day + days));
  return { year: shifted.getUTCFullYear(), month: shifted.getUTCMonth() + 1, day: shifted.getUTCDate() };
}

/** The elapsed share of the week in percent, including today. */
export const weekProgress = (date: LocalDate) => Math.floor((toWeekday(date) / 7) * 100);

/** The elapsed share of the month in percent, including today. */
export const monthProgress = (date: LocalDate) => Math.floor((date.day / daysInMonth(date)) * 100);

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const monthName = ({ month }: Pick<LocalDate, 'month'>): string => MONTHS[month - 1] ?? '';

/** The week (Monday to Sunday) that contains the moment, or the one `weeksLater` after it. */
export function weekContaining(timeZone: string, moment: Date, weeksLater = 0): TimeRange {
  const today = toLocalDate(timeZone, moment);
  const monday = addDays(today, 1 - toWeekday(today) + 7 * weeksLater);
  return { from: startOfDay(timeZone, monday), to: startOfDay(timeZone, addDays(monday, 7)) };
}

export function monthContaining(timeZone: string, moment: Date): TimeRange {
  const { year, month } = toLocalDate(timeZone, moment);
  const next = addDays({ year, month, day: daysInMonth({ year, month }) }, 1);
  return { from: startOfDay(timeZone, { year, month, day: 1 }), to: startOfDay(timeZone, next) };
}

/** The first moment after the day at a moment. */
export const endOfDay = (timeZone: string, moment: Date): Date =>
  startOfDay(timeZone, addDays(toLocalDate(timeZone, moment), 1));

/** The first moment of a day. Where the clocks skip midnight, that is the first one after the change. */
export function startOfDay(timeZone: string, { year, month, day }: LocalDate): Date {
  const utcMidnight = Date.UTC(year, month - 1, day);
  // The offset depends on the moment and the moment on the offset: two steps converge, also on days of 23 and 25 hours.
  let moment = utcMidnight - offsetAt(timeZone, new Date(utcMidnight));
  moment = utcMidnight - offsetAt(timeZone, new Date(moment));
  while (isBefore(toLocalDate(timeZone, new Date(moment)), { year, month, day })) moment += MINUTE_MS;
  return new Date(moment);
}

/** The moment at which local clocks show this hour. Where they skip it, the first one after the change. */
export function atLocalTime(timeZone: string, { year, month, day }: LocalDate, hour: number, minute = 0): Date {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  const guess = asUtc - offsetAt(timeZone, new Date(asUtc));
  return new Date(asUtc - offsetAt(timeZone, new Date(guess)));
}

/** The hour that local clocks show, 0 to 23. */
export const toLocalHour = (timeZone: string, moment: Date) => wallClock(timeZone, moment).hour;

const isBefore = (a: LocalDate, b: LocalDate) =>
  Date.UTC(a.year, a.month - 1, a.day) < Date.UTC(b.year, b.month - 1, b.day);

/** The offset of local time from UTC in milliseconds. */
function offsetAt(timeZone: string, moment: Date): number {
  const { year, month, day, hour, minute, second } = wallClock(timeZone, moment);
  const wholeSecond = moment.getTime() - (moment.getTime() % 1000);
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

function wallClock(timeZone: string, moment: Date) {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (name: string) => parts[name] ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}
