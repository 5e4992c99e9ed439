import { type Pace, paceOf } from '#contract/progress/pace.ts';
import { formatCount } from '#web/kit/format.ts';

export const WHAT_COUNTS =
  'A lead counts once when it first moves to In Progress, Recontact, Closed (Won) or Closed (Lost); ' +
  'later status changes do not affect the meter.';

export interface PaceWords {
  standing: Pace['standing'];
  /** What should have been reached by now. */
  expected: number;
  /** How many, where there is more to say than the words. */
  amount: string;
  words: string;
}

/** "3 ahead of pace", "2 behind pace", "1 over target". */
export function weeklyWords(count: number, target: number, weekPercent: number): PaceWords {
  const { standing, expected, difference } = paceOf(count, target, weekPercent);
  if (standing === 'reached') return { standing, expected, amount: some(count - target), words: 'over target' };
  const words = standing === 'ahead' ? 'ahead of pace' : 'behind pace';
  return { standing, expected, amount: some(Math.abs(difference)), words };
}

/** "58 more to go", "4 over target". */
export function monthlyWords(count: number, target: number, monthPercent: number): PaceWords {
  const { standing, expected } = paceOf(count, target, monthPercent);
  if (standing === 'reached')
    return { standing, expected, amount: '', words: `${formatCount(count - target)} over target` };
  return { standing, expected, amount: '', words: `${formatCount(target - count)} more to go` };
}

/** "12 of 25 contacts this week, 3 ahead of pace": the whole meter in one sentence, for whoever hears it. */
export const spoken = (count: number, target: number, period: string, ...said: string[]) =>
  [`${formatCount(count)} of ${formatCount(target)} contacts ${period}`, ...said].join(', ');

export const inWords = ({ amount, words }: PaceWords) => (amount ? `${amount} ${words}` : words);

const some = (count: number) => (count === 0 ? '' : formatCount(count));
