import { type SQL, sql } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { ReportFilter } from '#contract/reports/group.ts';
import {
  type getPipeline,
  OPEN_STATUSES,
  toPastPipelineParams,
  toPipelineParams,
} from '#contract/reports/pipeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from '#server/leads/list/lead-dates.sql.ts';
import { matchesFilter, matchesNow } from '#server/leads/list/lead-filter.sql.ts';
import {
  leadsAndChanges,
  resolveStatusOn,
  STATUS_THEN,
  VALUE_THEN,
  wasOpen,
} from '#server/leads/list/reports/status-on.sql.ts';
import { undoneChanges } from './undone-changes.sql.ts';

type Pipeline = ResponseBody<typeof getPipeline>;

/** The open leads of now. Their condition is that of the lists which the rows open. */
export function countPipeline(db: Db, viewer: Viewer, filter: ReportFilter, time: ListTime): Promise<Pipeline> {
  const list = leadFilter.parse(toPipelineParams(viewer, filter, ...OPEN_STATUSES));
  // Not materialized: each use of it reads the index that suffices for it.
  const held = sql`held as not materialized (
    select lead.id, lead.status, lead.custom_fields ->> 'value' as value, ${OTHER_COLUMNS}
    from user_businesses lead where ${matchesFilter(viewer, list, time)})`;
  return sumUp(db, held, sql`${time.now.toISOString()}::timestamptz`);
}

/** Besides what the change log knows. `since` is when a lead came to its status, where no change says it. */
const OTHER_COLUMNS = sql`least(lead.created_at, lead.assigned_at) as since, lead.credited_at, lead.last_contacted_at`;

/** The open leads at the end of a past day. Their condition is that of the lists which the rows open, too. */
export function countPastPipeline(
  db: Db,
  viewer: Viewer,
  filter: ReportFilter & { asOf: string },
  time: ListTime,
): Promise<Pipeline> {
  const list = leadFilter.parse(toPastPipelineParams(viewer, filter, { day: filter.asOf, status: 'open' }));
  const then = resolveStatusOn(viewer, list, time);
  if (!then) throw new Error('The change log tells the days that a report is asked for');
  // `coalesce` makes the planner expect half of the leads. It multiplied the conditions, expected one lead, and compared each with each.
  const held = sql`held as materialized (
    select lead.id, ${STATUS_THEN} as status, ${VALUE_THEN} as value, ${OTHER_COLUMNS}
    from ${leadsAndChanges(then)} where ${matchesNow(viewer, list, time)} and coalesce(${wasOpen(then)}, false))`;
  return sumUp(db, held, then.at);
}

/** The rows of a pipeline at a moment, of the leads that the CTE `held` has with their status and value of then. */
async function sumUp(db: Db, held: SQL, at: SQL): Promise<Pipeline> {
  // Joined as a whole: looking up the changes of each lead took seconds. `is true` keeps the text of every change in the log from
  // being hashed: only those of these leads are compared.
  const { rows } = await db.execute<Pipeline[number] & Record<string, unknown>>(sql`
    with ${held}, contacted as (
      select held.status, min(activity.completed_at) as first_at from held
      join contact_activities activity on activity.user_business_id = held.id and activity.type <> 'note'
        and activity.completed_at < ${at}
      where held.last_contacted_at is not null group by held.status
    ), came_to_status as (
      select held.id, max(batch.at) as at from held
      join changes change on change.lead_id = held.id and change.field = 'status' and change.moved_from is null
        and (change.after #>> '{}' = held.status) is true and change.id not in ${undoneChanges(at)}
      join change_batches batch on batch.id = change.batch_id and batch.undoes is null and batch.at < ${at}
      group by held.id
    ), aged as (
      select held.status, case when held.value ~ '^[0-9]+$' then held.value::numeric end as value,
        date_part('epoch', ${at} - coalesce(came_to_status.at, held.since)) / 86400 as days,
        case when held.credited_at < ${at} then held.credited_at end as credited_at
      from held left join came_to_status on came_to_status.id = held.id
    )
    select aged.status, count(*)::int as leads, coalesce(sum(aged.value), 0)::float as value,
      count(aged.value)::int as valued, round(avg(greatest(aged.days, 0))::numeric, 1)::float as "averageDays",
      to_char(least(contacted.first_at, min(aged.credited_at)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        as "oldestContact"
    from aged left join contacted on contacted.status = aged.status group by aged.status, contacted.first_at`);
  return OPEN_STATUSES.map(
    (status) =>
      rows.find((row) => row.status === status) ?? { status, ...{ leads: 0, value: 0, valued: 0 }, ...UNKNOWN },
  );
}

const UNKNOWN = { oldestContact: null, averageDays: null };
