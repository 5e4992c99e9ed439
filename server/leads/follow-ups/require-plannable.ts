import { Refusal } from '#contract/errors.ts';
import { type FollowUpPlan, isPlannable } from '#contract/leads/follow-ups/follow-up.ts';

/** Refuses a time in the past or the far future, which is a typing error. */
export function requirePlannable(plan: FollowUpPlan, now: Date): FollowUpPlan {
  if (isPlannable(plan.at, now)) return plan;
  throw new Refusal('validation_failed', 'Please choose a time within the next two years', {
    errors: [{ path: 'at', message: 'Please choose a time within the next two years' }],
  });
}
