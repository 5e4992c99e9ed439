import {
  addDays,
  atLocalTime,
  type LocalDate,
  toLocalDate,
  toLocalHour,
  toWeekday,
  WEEKDAYS,
} from '#contract/progress/calendar.ts';
import type { BankHolidayRegion } from './bank-holidays.ts';
import { firstWorkingDay, isWorkingDay } from './working-days.ts';

interface SuggestedTime {
  /** The day. */
  label: string;
  /** "16:00", on the team's clock, where the day alone does not say enough. */
  time?: string;
  /** ISO, UTC. */
  at: string;
}

interface Options {
  now: Date;
  timeZone: string;
  region: BankHolidayRegion;
}

/** The hours at which steps are proposed. */
export const MORNING = 10;
export const AFTERNOON = 16;

/** Times to offer for a follow-up. They fall on working days, and no two are the same. */
export function suggestTimes({ now, timeZone, region }: Options): SuggestedTime[] {
  const today = toLocalDate(timeZone, now);
  const at = (date: LocalDate, hour: number) => atLocalTime(timeZone, date, hour).toISOString();

  const tomorrow = firstWorkingDay(addDays(today, 1), region);
  const monday = firstWorkingDay(addDays(today, 8 - toWeekday(today)), region);
  const inAWeek = firstWorkingDay(addDays(today, 7), region);
  const suggestions: SuggestedTime[] = [
    { label: dayLabel(tomorrow, today), time: '10:00', at: at(tomorrow, MORNING) },
    // On a Monday, "Monday" would be today.
    ...(toWeekday(today) === 1 ? [] : [{ label: dayLabel(monday, today), at: at(monday, MORNING) }]),
    { label: 'In a week', at: at(inAWeek, MORNING) },
  ];
  // An hour ahead at least: a follow-up in five minutes is a call now.
  if (isWorkingDay(today, region) && toLocalHour(timeZone, now) < AFTERNOON - 1) {
    suggestions.unshift({ label: 'Today', time: '16:00', at: at(today, AFTERNOON) });
  }
  return suggestions.filter(({ at }, index) => suggestions.findIndex((other) => other.at === at) === index);
}

/** "Tomorrow", or the name of the weekday. */
function dayLabel(date: LocalDate, today: LocalDate): string {
  const tomorrow = addDays(today, 1);
  const isTomorrow = date.year === tomorrow.year && date.month === tomorrow.month && date.day === tomorrow.day;
  return isTomorrow ? 'Tomorrow' : (WEEKDAYS[toWeekday(date) - 1] ?? '');
}
