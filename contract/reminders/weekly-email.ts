import { addDays, atLocalTime, type LocalDate, toLocalDate, toWeekday } from '../progress/calendar.ts';
import type { Days } from '../reports/period.ts';
import { toDayText } from '../reports/period.ts';

/** The team's clock: sent on Monday from 8:00 on. Where the product was off, until Tuesday 12:00. */
const FROM_HOUR = 8;
const UNTIL_HOUR = 12;

export interface WeeklyEmail {
  monday: LocalDate;
  until: Date;
  /** The week before this Monday, which the e-mail is about. */
  lastWeek: Days;
  /** The week before that. */
  weekBefore: Days;
}

/** The e-mail about last week that is to be sent now; undefined at any other time of the week. */
export function findWeeklyEmail(timeZone: string, now: Date): WeeklyEmail | undefined {
  const today = toLocalDate(timeZone, now);
  const monday = addDays(today, 1 - toWeekday(today));
  const until = atLocalTime(timeZone, addDays(monday, 1), UNTIL_HOUR);
  if (now < atLocalTime(timeZone, monday, FROM_HOUR) || now >= until) return undefined;
  return { monday, until, lastWeek: weekFrom(addDays(monday, -7)), weekBefore: weekFrom(addDays(monday, -14)) };
}

const weekFrom = (monday: LocalDate): Days => ({ from: toDayText(monday), to: toDayText(addDays(monday, 6)) });
