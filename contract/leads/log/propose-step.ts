import type { BankHolidayRegion } from '#contract/leads/follow-ups/bank-holidays.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { AFTERNOON, MORNING } from '#contract/leads/follow-ups/suggested-times.ts';
import { addWorkingDays, firstWorkingDay } from '#contract/leads/follow-ups/working-days.ts';
import { addDays, atLocalTime, toLocalDate, toLocalHour } from '#contract/progress/calendar.ts';
import { type ActivityOutcome, OUTCOME, type OutcomeRules, UNANSWERED_IN_A_ROW } from './outcomes.ts';

interface Contacted {
  rules: OutcomeRules;
  /** How many contacts before this one, in a row, had no answer. */
  unanswered: number;
  now: Date;
  timeZone: string;
  region: BankHolidayRegion;
}

const NOON = 13;

/** The next step that an outcome proposes; undefined for none. */
export function proposeStep(
  outcome: ActivityOutcome,
  { rules, unanswered, now, timeZone, region }: Contacted,
): FollowUpPlan | undefined {
  const { next } = rules[outcome];
  if (!next) return undefined;
  const { otherPartOfDay, step, type } = OUTCOME[outcome];
  const { days, counted } =
    outcome === 'no_answer' && unanswered + 1 >= UNANSWERED_IN_A_ROW
      ? ({ days: 7, counted: 'calendar' } as const)
      : next;
  const today = toLocalDate(timeZone, now);
  const plan = step ?? { type, note: '' };
  const hourNow = toLocalHour(timeZone, now);
  // A step for today waits an hour at least, until the evening at the latest.
  if (days === 0) {
    const hour = Math.min(Math.max(AFTERNOON, hourNow + 1), 23);
    return { ...plan, at: atLocalTime(timeZone, today, hour).toISOString() };
  }
  const date =
    counted === 'working' ? addWorkingDays(today, days, region) : firstWorkingDay(addDays(today, days), region);
  const hour = otherPartOfDay && hourNow < NOON ? AFTERNOON : MORNING;
  return { ...plan, at: atLocalTime(timeZone, date, hour).toISOString() };
}

/** How many contacts in a row had no answer; the newest is the first. */
export function countUnanswered(contacts: { outcome: string | null }[]): number {
  const answered = contacts.findIndex(({ outcome }) => outcome !== 'no_answer');
  return answered < 0 ? contacts.length : answered;
}
