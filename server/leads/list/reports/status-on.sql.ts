import { type SQL, sql } from 'drizzle-orm';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import { listsEveryLead } from '#contract/leads/lead-policy.ts';
import { parseStatusOn, type StatusOn } from '#contract/leads/status-on.ts';
import { addDays, startOfDay, toLocalDate } from '#contract/progress/calendar.ts';
import { parseDay } from '#contract/reports/period.ts';
import { listPastDays } from '#contract/reports/pipeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ListTime } from '#server/leads/list/lead-dates.sql.ts';

// docs/reports.md says what a past day is read from. The same condition counts its pipeline and filters the list that a figure opens.

/** What a lead was on a past day, and the moment that the day ended. */
export interface Then extends StatusOn {
  at: SQL;
}

/** Undefined where the change log does not tell the day. In one's own list the holder of then is the viewer, too. */
export function resolveStatusOn(
  viewer: Viewer,
  filter: Pick<LeadFilter, 'team' | 'statusOn'>,
  { now, timeZone }: ListTime,
): Then | undefined {
  const on = parseStatusOn(filter.statusOn ?? '');
  const { from, to } = listPastDays(toLocalDate(timeZone, now));
  if (!on || on.day < from || on.day > to) return undefined;
  const ended = startOfDay(timeZone, addDays(parseDay(on.day), 1));
  const user = listsEveryLead(viewer, filter) ? on.user : viewer.id;
  return { ...on, user, at: sql`${ended.toISOString()}::timestamptz` };
}

/**
 * Leads with what the change log says that they had, as `changed`, null for what is as now: the first change since then has the value
 * of then.
 */
export const leadsAndChanges = ({ at }: Then): SQL => sql`user_businesses lead left join (
  select lead_id, max(before #>> '{}') filter (where field = 'status') as status,
    max(coalesce(before #>> '{}', 'false')) filter (where field = 'archived') as archived,
    max(coalesce(before #>> '{}', 'false')) filter (where field = 'existingCustomer') as existing_customer,
    max((before ->> 'userId')::int) filter (where field = 'holder') as user_id,
    max(coalesce(before #>> '{}', '')) filter (where field = 'value') as value
  from (
    select distinct on (change.lead_id, change.field) change.lead_id, change.field, change.before
    from change_batches batch join changes change on change.batch_id = batch.id
    where batch.at >= ${at} and change.lead_id is not null and change.moved_from is null
      and change.field in ('status', 'archived', 'existingCustomer', 'holder', 'value')
    order by change.lead_id, change.field, batch.at, change.id
  ) first_since group by lead_id
) changed on changed.lead_id = lead.id`;

export const STATUS_THEN = sql`coalesce(changed.status, lead.status)`;
export const VALUE_THEN = sql`coalesce(changed.value, lead.custom_fields ->> 'value')`;

/** Of `leadsAndChanges`: whether the lead was open, with this status, of this holder. */
export const wasOpen = ({ at, status, user }: Then): SQL => sql`lead.created_at < ${at}
  and coalesce(changed.archived, lead.archived::text) = 'false'
  and coalesce(changed.existing_customer, lead.existing_customer::text) = 'false'
  and ${status === 'open' ? sql`${STATUS_THEN} not in ('closed_won', 'closed_lost')` : sql`${STATUS_THEN} = ${status}`}
  and ${user === undefined ? sql`true` : sql`coalesce(changed.user_id, lead.user_id) = ${user}`}`;

/** Of the leads in view. */
export const isIn = (then: Then | undefined, inView: SQL): SQL =>
  then
    ? sql`lead.id in (select lead.id from ${leadsAndChanges(then)} where ${inView} and ${wasOpen(then)})`
    : sql`false`;
