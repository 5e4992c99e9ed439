import type { BankHolidayRegion } from '../leads/follow-ups/bank-holidays.ts';
import { isWorkingDay } from '../leads/follow-ups/working-days.ts';
import { toLocalDate, toLocalHour } from '../progress/calendar.ts';

/** The hours in which a device rings, on the team's clock, unless its user wants it at any time. */
export const FIRST_HOUR = 8;
export const LAST_HOUR = 18;

export function isWorkingTime(now: Date, timeZone: string, region: BankHolidayRegion): boolean {
  const hour = toLocalHour(timeZone, now);
  return isWorkingDay(toLocalDate(timeZone, now), region) && hour >= FIRST_HOUR && hour < LAST_HOUR;
}
