import { isBankHoliday } from '#contract/leads/follow-ups/bank-holidays.ts';
import { addDays, atLocalTime, type LocalDate, toLocalDate, toWeekday } from '#contract/progress/calendar.ts';
import type { Random } from './random.ts';

const [OPENS, CLOSES] = [9, 17];
const MINUTE = 60_000;
/** More than any row of weekends and bank holidays. */
const MAX_DAYS_BACK = 10;

export type WorkingHours = ReturnType<typeof createWorkingHours>;

/** Moments from Monday to Friday, 9:00 to 17:00, without bank holidays, on the team's clock. */
export function createWorkingHours(timeZone: string, { pick, between }: Pick<Random, 'pick' | 'between'>) {
  // Time zones are slow to compute.
  const shiftByDay = new Map<string, { from: number; to: number }>();
  const isWorkingDay = (day: LocalDate) => toWeekday(day) < 6 && !isBankHoliday(day, 'england-and-wales');
  const at = (day: LocalDate, hour: number) => atLocalTime(timeZone, day, hour).getTime();

  function shiftOf(day: LocalDate) {
    const key = `${day.year}-${day.month}-${day.day}`;
    const shift = shiftByDay.get(key) ?? { from: at(day, OPENS), to: at(day, CLOSES) };
    shiftByDay.set(key, shift);
    return shift;
  }

  /** The working hours of each day between two moments. */
  function listShifts(from: number, to: number) {
    const shifts: { from: number; to: number }[] = [];
    for (let day = toLocalDate(timeZone, new Date(from)); shiftOf(day).from < to; day = addDays(day, 1)) {
      const shift = { from: Math.max(from, shiftOf(day).from), to: Math.min(to, shiftOf(day).to) };
      if (isWorkingDay(day) && shift.from < shift.to) shifts.push(shift);
    }
    return shifts;
  }

  return {
    /** A random one; where there is none between the two, one of the last working day before. */
    between(from: number, to: number): number {
      let shifts = listShifts(from, to);
      for (let days = 1; shifts.length === 0 && days <= MAX_DAYS_BACK; days += 1) {
        shifts = listShifts(from - days * 24 * 60 * MINUTE, to);
      }
      const shift = pick(shifts);
      return Math.floor(between(shift.from, shift.to) / MINUTE) * MINUTE;
    },
    /** The hour of the working day that is so many working days after the moment, or before it; with 0, of the next one. */
    workingDay(moment: number, days: number, hour: number): number {
      let day = toLocalDate(timeZone, new Date(moment));
      for (let left = Math.abs(days); left > 0 || !isWorkingDay(day); ) {
        day = addDays(day, Math.sign(days) || 1);
        if (isWorkingDay(day)) left -= 1;
      }
      return at(day, hour);
    },
  };
}
