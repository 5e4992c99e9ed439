import { addDays, type LocalDate, startOfDay } from './calendar.ts';

export interface Pace {
  /** The count that would be on pace. */
  expected: number;
  /** Above (positive) or below (negative) the expected count. */
  difference: number;
  standing: 'ahead' | 'behind' | 'reached';
}

/** Compares a count with its target, given the elapsed share of the period. */
export function paceOf(count: number, target: number, elapsedPercent: number): Pace {
  const expected = Math.ceil((target * elapsedPercent) / 100);
  const difference = count - expected;
  if (count >= target) return { expected, difference, standing: 'reached' };
  return { expected, difference, standing: difference >= 0 ? 'ahead' : 'behind' };
}

/** Whose account was made since then has not had a full day yet, and is neither behind pace nor idle. */
export const newcomersSince = (timeZone: string, today: LocalDate) => startOfDay(timeZone, addDays(today, -1));

/** The count in percent of the target, to one decimal; may exceed 100. */
export const toPercentage = (count: number, target: number) => Math.round((count / target) * 1000) / 10;

/** The width of a progress bar, 0 to 100. */
export const barPercent = (count: number, target: number) => Math.min(100, Math.max(0, (count / target) * 100));

/** A quarter of the monthly goal, rounded up. */
export const weeklyTarget = (monthlyGoal: number) => Math.ceil(monthlyGoal / 4);

/** The goals of users who joined on a day of the month. */
interface JoinedGoal {
  day: number;
  goal: number;
}

/**
 * The contacts that a team should have by the end of a day of the month. `goal` is the sum of all goals; users who joined
 * in the month count from the day they joined, at the same contacts per day as the others.
 */
export function teamPace(goal: number, joined: readonly JoinedGoal[], day: number, daysInMonth: number): number {
  // Rounded like the percentage of the meters.
  const elapsedPercent = (days: number) => Math.floor((Math.max(0, days) / daysInMonth) * 100);
  const beforeJoining = joined.reduce(
    (sum, user) => sum + user.goal * (elapsedPercent(day) - elapsedPercent(day - user.day + 1)),
    0,
  );
  return Math.ceil((goal * elapsedPercent(day) - beforeJoining) / 100);
}
