import { type Pace, paceOf } from '#contract/progress/pace.ts';
import { formatCount } from '#web/kit/format.ts';

export const WHAT_COUNTS =
  'A lead counts once when it first moves to In Progress, Recontact, Closed (Won) or Closed (Lost); ' +
  'later status changes do not affect the meter.';

export interface PaceText {
  standing: Pace['standing'];
  /** The count expected by now. */
  expected: number;
  /** The number before the text; empty where the text has it, or where it is 0. */
  amount: string;
  text: string;
}

/** "3 ahead of pace", "2 behind pace", "1 over target". */
export function formatWeeklyPace(count: number, target: number, weekPercent: number): PaceText {
  const { standing, expected, difference } = paceOf(count, target, weekPercent);
  if (standing === 'reached') return { standing, expected, amount: formatAmount(count - target), text: 'over target' };
  const text = standing === 'ahead' ? 'ahead of pace' : 'behind pace';
  return { standing, expected, amount: formatAmount(Math.abs(difference)), text };
}

/** "58 more to go", "4 over target". */
export function formatMonthlyPace(count: number, target: number, monthPercent: number): PaceText {
  const { standing, expected } = paceOf(count, target, monthPercent);
  const text =
    standing === 'reached' ? `${formatCount(count - target)} over target` : `${formatCount(target - count)} more to go`;
  return { standing, expected, amount: '', text };
}

/** "12 of 25 contacts this week, 3 ahead of pace" */
export const formatValueText = (count: number, target: number, period: string, ...details: string[]) =>
  [`${formatCount(count)} of ${formatCount(target)} contacts ${period}`, ...details].join(', ');

export const joinPaceText = ({ amount, text }: PaceText) => (amount ? `${amount} ${text}` : text);

const formatAmount = (count: number) => (count === 0 ? '' : formatCount(count));
