import type { BankHolidayRegion } from '#contract/leads/follow-ups/bank-holidays.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { AFTERNOON, MORNING } from '#contract/leads/follow-ups/suggested-times.ts';
import { addWorkingDays, firstWorkingDay } from '#contract/leads/follow-ups/working-days.ts';
import { addDays, atLocalTime, type LocalDate, toLocalDate, toLocalHour } from '#contract/progress/calendar.ts';
import {
  type ActivityOutcome,
  OUTCOME,
  type OutcomeRules,
  type ProposedDays,
  UNANSWERED_IN_A_ROW,
} from './outcomes.ts';

interface Contacted {
  rules: OutcomeRules;
  /** How many contacts before this one, in a row, had no answer. */
  unanswered: number;
  now: Date;
  timeZone: string;
  region: BankHolidayRegion;
}

const NOON = 13;
const IN_A_WEEK: ProposedDays = { days: 7, counted: 'calendar' };

const toDate = (from: LocalDate, { days, counted }: ProposedDays, region: BankHolidayRegion): LocalDate =>
  counted === 'working' ? addWorkingDays(from, days, region) : firstWorkingDay(addDays(from, days), region);

/** The next step that an outcome proposes; undefined for none. */
export function proposeStep(
  outcome: ActivityOutcome,
  { rules, unanswered, now, timeZone, region }: Contacted,
): FollowUpPlan | undefined {
  const { next } = rules[outcome];
  if (!next) return undefined;
  const { otherPartOfDay, step, type } = OUTCOME[outcome];
  const today = toLocalDate(timeZone, now);
  const plan = step ?? { type, note: '' };
  const hourNow = toLocalHour(timeZone, now);
  const isLastOfRow = outcome === 'no_answer' && unanswered + 1 >= UNANSWERED_IN_A_ROW;
  // A step for today waits an hour at least, until the evening at the latest.
  if (next.days === 0 && !isLastOfRow) {
    const hour = Math.min(Math.max(AFTERNOON, hourNow + 1), 23);
    return { ...plan, at: atLocalTime(timeZone, today, hour).toISOString() };
  }
  const hour = otherPartOfDay && hourNow < NOON ? AFTERNOON : MORNING;
  const onDay = (days: ProposedDays) => atLocalTime(timeZone, toDate(today, days, region), hour).toISOString();
  const [proposed, inAWeek] = [onDay(next), onDay(IN_A_WEEK)];
  return { ...plan, at: isLastOfRow && inAWeek > proposed ? inAWeek : proposed };
}

/** How many contacts in a row had no answer; the newest is the first. */
export function countUnanswered(contacts: { outcome: string | null }[]): number {
  const answered = contacts.findIndex(({ outcome }) => outcome !== 'no_answer');
  return answered < 0 ? contacts.length : answered;
}
