export interface Pace {
  /** What should have been reached by now. */
  expected: number;
  /** How far ahead of that, or behind it where negative. */
  difference: number;
  standing: 'ahead' | 'behind' | 'reached';
}

/** Where a count stands against its target, given the share of the period already gone. */
export function paceOf(count: number, target: number, elapsedPercent: number): Pace {
  const expected = Math.ceil((target * elapsedPercent) / 100);
  const difference = count - expected;
  if (count >= target) return { expected, difference, standing: 'reached' };
  return { expected, difference, standing: difference >= 0 ? 'ahead' : 'behind' };
}

/** Contacts as a share of the target, to one decimal; more than 100 when the target is passed. */
export const toPercentage = (count: number, target: number) => Math.round((count / target) * 1000) / 10;

/** A bar is full at its target, however far beyond it the count is. */
export const barPercent = (count: number, target: number) => Math.min(100, Math.max(0, (count / target) * 100));

/** Four weeks make a month's goal. */
export const weeklyTarget = (monthlyGoal: number) => Math.ceil(monthlyGoal / 4);
