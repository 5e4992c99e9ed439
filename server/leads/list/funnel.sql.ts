import { type SQL, sql } from 'drizzle-orm';
import type { FunnelStep } from '#contract/leads/funnel-step.ts';
import { type ActivityOutcome, activityOutcome, DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';

// docs/reports.md defines the steps. The same conditions count them in a report and filter the list that a figure opens.

const REACHED_BY_DEFAULT = sql.param(activityOutcome.options.filter((outcome) => DEFAULT_OUTCOMES[outcome].reached));

/** Whether the team counts the outcome of an activity as reached. */
export const IS_REACHED_OUTCOME = sql`coalesce(
  (select value -> activity.outcome ->> 'reached' from team_settings where name = 'outcomes') = 'true',
  activity.outcome = any (${REACHED_BY_DEFAULT}::text[]))`;

/** Activities of a lead that reached a person, since the lead was assigned to its holder. */
export const REACHED_ACTIVITIES = sql`contact_activities activity
  where activity.user_business_id = lead.id and activity.completed_at >= lead.assigned_at and ${IS_REACHED_OUTCOME}`;

const IS_WON = sql`lead.status = 'closed_won'`;
const IS_QUALIFIED = sql`lead.status in ('qualified', 'proposal', 'negotiation', 'closed_won')`;
const IS_REACHED = sql`(${IS_QUALIFIED} or exists (select from ${REACHED_ACTIVITIES}))`;
const IS_CONTACTED = sql`(lead.last_contacted_at >= lead.assigned_at or ${IS_REACHED})`;

const CONDITION: Record<FunnelStep, SQL> = {
  assigned: sql`true`,
  contacted: IS_CONTACTED,
  reached: IS_REACHED,
  qualified: IS_QUALIFIED,
  won: IS_WON,
  lost: sql`lead.status = 'closed_lost'`,
};

export const cameTo = (step: FunnelStep): SQL => CONDITION[step];

/** The outcome of the newest activity that has one; null where none has. */
export const NEWEST_OUTCOME = sql`(
  select activity.outcome from contact_activities activity
  where activity.user_business_id = lead.id and activity.outcome is not null and activity.completed_at is not null
  order by activity.completed_at desc, activity.id desc limit 1)`;

export const hasNewestOutcome = (outcome: ActivityOutcome | 'none'): SQL =>
  outcome === 'none' ? sql`${NEWEST_OUTCOME} is null` : sql`${NEWEST_OUTCOME} = ${outcome}`;
