import { addDays, type LocalDate, toWeekday } from '#contract/progress/calendar.ts';
import { type BankHolidayRegion, isBankHoliday } from './bank-holidays.ts';

export const isWorkingDay = (date: LocalDate, region: BankHolidayRegion) =>
  toWeekday(date) < 6 && !isBankHoliday(date, region);

/** The day itself, or the first working day after it. */
export function firstWorkingDay(date: LocalDate, region: BankHolidayRegion): LocalDate {
  let day = date;
  while (!isWorkingDay(day, region)) day = addDays(day, 1);
  return day;
}

export function addWorkingDays(date: LocalDate, days: number, region: BankHolidayRegion): LocalDate {
  let day = date;
  for (let added = 0; added < days; added += 1) day = firstWorkingDay(addDays(day, 1), region);
  return day;
}
