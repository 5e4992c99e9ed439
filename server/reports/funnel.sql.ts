import { type SQL, sql } from 'drizzle-orm';
import type { FunnelFigures } from '#contract/reports/reports.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { ACTIVITIES_SINCE, cameTo, IS_REACHED_OUTCOME, NEWEST_OUTCOME } from '#server/leads/list/reports/funnel.sql.ts';

import { undoneChanges } from './undone-changes.sql.ts';

// The statements of docs/reports.md.

/** The first activities since the assignment: of all, and of those that reached a person. */
const FIRST_ACTIVITIES = sql`(
  select min(activity.completed_at) filter (where activity.type <> 'note') as contacted_at,
    min(activity.completed_at) filter (where ${IS_REACHED_OUTCOME}) as reached_at
  from ${ACTIVITIES_SINCE})`;
const HAS_REACHED = sql`first.reached_at is not null`;

const FIRST_CONTACT_AT = sql`least(
  case when lead.credited_at >= lead.assigned_at then lead.credited_at end, first.contacted_at)`;

/**
 * When the lead last entered these statuses from another one. An undo restores the status and enters nothing, and what it took
 * back was no entry. Only leads that are there now are looked up.
 */
const ENTRIES = sql`(
  select ${lastEntry(sql`'qualified', 'proposal', 'negotiation', 'closed_won'`)} as qualified_at,
    ${lastEntry(sql`'closed_won'`)} as won_at
  from changes change join change_batches batch on batch.id = change.batch_id
  where ${cameTo('qualified')} and change.lead_id = lead.id and change.field = 'status' and batch.undoes is null
    and change.id not in ${undoneChanges(sql`'infinity'`)})`;

function lastEntry(statuses: SQL): SQL {
  return sql`max(batch.at) filter (
    where change.after #>> '{}' in (${statuses}) and change.before #>> '{}' not in (${statuses}))`;
}

const medianDays = (from: SQL, to: SQL) => sql`round((percentile_cont(0.5) within group (
  order by date_part('epoch', ${to} - ${from}) / 86400) filter (where ${to} >= ${from}))::numeric, 1)::float`;

type Counts = Omit<FunnelFigures, 'daysTo'>;
interface Medians {
  toContacted: number | null;
  toReached: number | null;
  toQualified: number | null;
  toWon: number | null;
}

/** How far the leads of a condition came. They are read once, for all figures. */
export async function countFunnel(db: Db, matches: SQL): Promise<FunnelFigures> {
  const { rows } = await db.execute<Counts & Medians & Record<string, unknown>>(sql`
    with held as materialized (
      select lead.assigned_at,
        ${cameTo('contacted', HAS_REACHED)} as contacted, ${cameTo('reached', HAS_REACHED)} as reached,
        ${cameTo('qualified')} as qualified, ${cameTo('won')} as won, ${cameTo('lost')} as lost,
        case when ${cameTo('contacted', HAS_REACHED)} then ${FIRST_CONTACT_AT} end as contacted_at, first.reached_at,
        entered.qualified_at, case when ${cameTo('won')} then entered.won_at end as won_at,
        case when ${cameTo('lost')} then coalesce(${NEWEST_OUTCOME}, 'none') end as outcome
      from user_businesses lead cross join lateral ${FIRST_ACTIVITIES} first cross join lateral ${ENTRIES} entered
      where ${matches}
    )
    select count(*)::int as assigned, count(*) filter (where contacted)::int as contacted,
      count(*) filter (where reached)::int as reached, count(*) filter (where qualified)::int as qualified,
      count(*) filter (where won)::int as won, count(*) filter (where lost)::int as lost,
      ${medianDays(sql`assigned_at`, sql`contacted_at`)} as "toContacted",
      ${medianDays(sql`contacted_at`, sql`reached_at`)} as "toReached",
      ${medianDays(sql`reached_at`, sql`qualified_at`)} as "toQualified",
      ${medianDays(sql`qualified_at`, sql`won_at`)} as "toWon",
      (select coalesce(json_agg(each_outcome), '[]') from (
        select outcome, count(*)::int as leads from held where lost group by 1 order by 2 desc, 1) each_outcome) as "lostBy"
    from held`);
  const [row] = rows;
  if (!row) throw new Error('An aggregate without groups has one row');
  const { toContacted, toReached, toQualified, toWon, ...counts } = row;
  return { ...counts, daysTo: { contacted: toContacted, reached: toReached, qualified: toQualified, won: toWon } };
}
