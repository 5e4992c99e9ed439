import { addDays, type LocalDate, toWeekday } from '#contract/progress/calendar.ts';

/** The parts of the United Kingdom whose bank holidays differ. */
export const BANK_HOLIDAY_REGIONS = ['england-and-wales', 'scotland', 'northern-ireland'] as const;
export type BankHolidayRegion = (typeof BANK_HOLIDAY_REGIONS)[number];

/** Days that were moved or added by proclamation; the rules below know nothing of them. */
const MOVED: Record<string, string> = {
  // VE Day 75, and the Platinum Jubilee.
  '2020-05-04': '2020-05-08',
  '2022-05-30': '2022-06-02',
};
const EXTRA = ['2022-06-03', '2022-09-19', '2023-05-08'];

export const isBankHoliday = (date: LocalDate, region: BankHolidayRegion): boolean =>
  bankHolidays(date.year, region).has(toKey(date));

const cache = new Map<string, ReadonlySet<string>>();

/** The bank holidays of a year as "2026-12-25". */
export function bankHolidays(year: number, region: BankHolidayRegion): ReadonlySet<string> {
  const cacheKey = `${region} ${year}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  const days = new Set([...computeHolidays(year, region).map((date) => MOVED[toKey(date)] ?? toKey(date))]);
  for (const day of EXTRA) if (day.startsWith(String(year))) days.add(day);
  cache.set(cacheKey, days);
  return days;
}

function computeHolidays(year: number, region: BankHolidayRegion): LocalDate[] {
  const scotland = region === 'scotland';
  const easter = easterSunday(year);
  const holidays = [
    ...substituteAll(scotland ? [on(year, 1, 1), on(year, 1, 2)] : [on(year, 1, 1)]),
    addDays(easter, -2),
    firstMonday(year, 5),
    lastMonday(year, 5),
    scotland ? firstMonday(year, 8) : lastMonday(year, 8),
    ...substituteAll([on(year, 12, 25), on(year, 12, 26)]),
  ];
  if (!scotland) holidays.push(addDays(easter, 1));
  if (scotland) holidays.push(...substituteAll([on(year, 11, 30)]));
  if (region === 'northern-ireland')
    holidays.push(...substituteAll([on(year, 3, 17)]), ...substituteAll([on(year, 7, 12)]));
  return holidays;
}

/** A holiday on a weekend moves to the next weekday that is no holiday itself. */
function substituteAll(dates: LocalDate[]): LocalDate[] {
  const taken = new Set(dates.filter((date) => toWeekday(date) < 6).map(toKey));
  return dates.map((date) => {
    if (toWeekday(date) < 6) return date;
    let next = addDays(date, 1);
    while (toWeekday(next) > 5 || taken.has(toKey(next))) next = addDays(next, 1);
    taken.add(toKey(next));
    return next;
  });
}

/** The anonymous Gregorian algorithm. */
function easterSunday(year: number): LocalDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return on(year, Math.floor(f / 31), (f % 31) + 1);
}

const on = (year: number, month: number, day: number): LocalDate => ({ year, month, day });

function firstMonday(year: number, month: number): LocalDate {
  const first = on(year, month, 1);
  return addDays(first, (8 - toWeekday(first)) % 7);
}

function lastMonday(year: number, month: number): LocalDate {
  const last = addDays(on(year, month + 1, 1), -1);
  return addDays(last, 1 - toWeekday(last));
}

const toKey = ({ year, month, day }: LocalDate) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
