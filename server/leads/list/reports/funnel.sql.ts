import { type SQL, sql } from 'drizzle-orm';
import type { FunnelStep } from '#contract/leads/funnel-step.ts';
import { type ActivityOutcome, activityOutcome, DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';

// docs/reports.md defines the steps. The same conditions count them in a report and filter the list that a figure opens.

const OUTCOMES = sql.param(activityOutcome.options);
const REACHED_BY_DEFAULT = sql.param(activityOutcome.options.map((outcome) => DEFAULT_OUTCOMES[outcome].reached));

/** The outcomes that the team counts as reached. It refers to no row, so that it is read once, and not for each activity. */
const REACHED_OUTCOMES = sql`array(
  select known.outcome from unnest(${OUTCOMES}::text[], ${REACHED_BY_DEFAULT}::boolean[]) known (outcome, by_default)
  where coalesce((select value -> known.outcome ->> 'reached' from team_settings where name = 'outcomes') = 'true', known.by_default))`;

/** What was done with a lead since it was assigned to its holder. */
export const ACTIVITIES_SINCE = sql`contact_activities activity
  where activity.user_business_id = lead.id and activity.completed_at >= lead.assigned_at`;
/** Whether the team counts the outcome of an activity as reached. */
export const IS_REACHED_OUTCOME = sql`activity.outcome = any (${REACHED_OUTCOMES})`;

const IS_WON = sql`lead.status = 'closed_won'`;
const IS_QUALIFIED = sql`lead.status in ('qualified', 'proposal', 'negotiation', 'closed_won')`;
const HAS_REACHED = sql`exists (select from ${ACTIVITIES_SINCE} and ${IS_REACHED_OUTCOME})`;

/** Whether a lead came so far. `hasReached` is for statements that have read the activities that reached a person already. */
export function cameTo(step: FunnelStep, hasReached = HAS_REACHED): SQL {
  switch (step) {
    case 'assigned':
      return sql`true`;
    case 'contacted':
      return sql`(lead.last_contacted_at >= lead.assigned_at or ${cameTo('reached', hasReached)})`;
    case 'reached':
      return sql`(${IS_QUALIFIED} or ${hasReached})`;
    case 'qualified':
      return IS_QUALIFIED;
    case 'won':
      return IS_WON;
    case 'lost':
      return sql`lead.status = 'closed_lost'`;
  }
}

/** The outcome of the newest activity that has one; null where none has. */
export const NEWEST_OUTCOME = sql`(
  select activity.outcome from contact_activities activity
  where activity.user_business_id = lead.id and activity.outcome is not null and activity.completed_at is not null
  order by activity.completed_at desc, activity.id desc limit 1)`;

export const hasNewestOutcome = (outcome: ActivityOutcome | 'none'): SQL =>
  outcome === 'none' ? sql`${NEWEST_OUTCOME} is null` : sql`${NEWEST_OUTCOME} = ${outcome}`;
