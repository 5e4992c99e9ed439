import { z } from 'zod';
import { moment, text } from '#contract/fields.ts';
import { activityType } from '#contract/leads/lead.ts';

/** A planned activity. A lead has at most one that is open: its next step. */
export const followUp = z.strictObject({
  id: z.number(),
  type: activityType,
  at: moment,
  note: z.string(),
  createdBy: z.number().nullable(),
});
export type FollowUp = z.infer<typeof followUp>;

const MAX_DAYS_AHEAD = 2 * 366;

/** What is planned, and when. Any time is allowed, weekends and holidays too, but none in the distant past or future. */
export const followUpPlan = z.object({
  type: activityType.default('call'),
  at: moment,
  note: text(1_000, 'Note').trim().default(''),
});
export type FollowUpPlan = z.output<typeof followUpPlan>;

const DAY_MS = 24 * 60 * 60_000;

/** Whether a follow-up may be planned for this moment: not before yesterday, and within two years. */
export function isPlannable(at: string, now: Date): boolean {
  const distance = Date.parse(at) - now.getTime();
  return distance > -DAY_MS && distance < MAX_DAYS_AHEAD * DAY_MS;
}
