import { type SQL, sql } from 'drizzle-orm';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import { type GroupBy, parseOwnGroup, type ReportGroup } from '#contract/reports/group.ts';
import { type GroupFigures, MAX_GROUPS } from '#contract/reports/reports.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { HAS_NO_TAG, INDEXED_ORIGIN_KEY } from '#server/leads/list/lead-filter.sql.ts';
import { cameTo } from '#server/leads/list/reports/funnel.sql.ts';
import { NAME_OF_USER } from './person-name.sql.ts';

interface Grouping {
  by: GroupBy;
  /** The field of money that is added up. */
  sum: number | undefined;
  /** The tags of the filter: a table by tag has no others. */
  tags: string[];
  timeZone: string;
  matches: SQL;
  /** The leads that they are compared with. */
  matchesBefore: SQL;
}

type Counted = GroupFigures['before'];

/**
 * How far the leads of two conditions came, by group: the groups with the most leads of the first one first, and at last those
 * without a value.
 */
export async function countGroups(db: Db, grouping: Grouping): Promise<{ groups: GroupFigures[]; total: number }> {
  const { by, sum, matches, matchesBefore } = grouping;
  const { rows } = await db.execute<{ key: string; name: string; now: Counted; before: Counted; total: number }>(sql`
    with held as materialized (
      select true as is_now, ${toKeys(grouping)} as keys, ${toProgress(grouping)} from user_businesses lead where ${matches}
      union all
      select false, ${toComparedKeys(grouping)}, ${toProgress(grouping)} from user_businesses lead where ${matchesBefore}
    ), grouped as (
      select key, ${addUp(sql`is_now`)} as now, ${addUp(sql`not is_now`)} as before,
        (count(*) filter (where key <> '') over ())::int as total,
        row_number() over (order by key = '', count(*) filter (where is_now) desc, count(*) desc, key) as place
      from held cross join lateral (select distinct unnest(keys) as key) each_key group by key
    )
    select key, ${toName(by)} as name, now, before, total
    from grouped where place <= ${MAX_GROUPS} or key = '' order by place`);
  const toFigures = ({ sum: added, ...counts }: Counted) => ({ ...counts, ...(sum && { sum: added }) });
  const groups = rows.map(({ key, name, now, before }) => ({
    key,
    name,
    ...toFigures(now),
    before: toFigures(before),
  }));
  return { groups, total: rows[0]?.total ?? 0 };
}

/** What is counted of a lead. */
const toProgress = ({ sum }: Grouping): SQL => sql`${toAmount(sum)} as amount, ${cameTo('contacted')} as contacted,
  ${cameTo('reached')} as reached, ${cameTo('qualified')} as qualified, ${cameTo('won')} as won, ${cameTo('lost')} as lost`;

const addUp = (period: SQL): SQL => sql`json_build_object(
  'assigned', count(*) filter (where ${period}), 'contacted', count(*) filter (where ${period} and contacted),
  'reached', count(*) filter (where ${period} and reached), 'qualified', count(*) filter (where ${period} and qualified),
  'won', count(*) filter (where ${period} and won), 'lost', count(*) filter (where ${period} and lost),
  'sum', coalesce(sum(amount) filter (where ${period}), 0)::float8)`;

/** The groups that a lead is in; the empty one is that of the leads without a value. */
function toKeys(grouping: Grouping): SQL {
  const fieldId = parseOwnGroup(grouping.by);
  // Not those of own fields.
  return fieldId ? toOwnKeys(fieldId) : toBuiltInKeys(grouping.by as ReportGroup, grouping);
}

/** Of the leads that the groups are compared with: a week is compared with the one before. */
const toComparedKeys = (grouping: Grouping): SQL =>
  grouping.by === 'week' ? toWeekKeys(grouping, sql`+ interval '7 days'`) : toKeys(grouping);

const toWeekKeys = ({ timeZone }: Grouping, later = sql``): SQL =>
  sql`array[to_char(date_trunc('week', lead.assigned_at at time zone ${timeZone}) ${later}, 'YYYY-MM-DD')]`;

const toOwnKeys = (fieldId: number): SQL => {
  const value = sql`lead.own_fields -> ${String(fieldId)}::text`;
  return sql`case when jsonb_typeof(${value}) = 'array' then array(select jsonb_array_elements_text(${value}))
    else array[coalesce(lead.own_fields ->> ${String(fieldId)}::text, '')] end`;
};

const toAmount = (fieldId: number | undefined): SQL => {
  const value = sql`lead.own_fields -> ${String(fieldId)}::text`;
  return fieldId ? sql`case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end` : sql`null::numeric`;
};

function toBuiltInKeys(by: ReportGroup, grouping: Grouping): SQL {
  const { tags } = grouping;
  switch (by) {
    case 'person':
      return sql`array[lead.user_id::text]`;
    case 'type':
      return sql`array[coalesce(lead.business_type, '')]`;
    case 'district':
      return sql`array[coalesce(lead.district, '')]`;
    case 'source':
      return sql`array[coalesce(nullif(${INDEXED_ORIGIN_KEY}, 'none'), '')]`;
    case 'tag': {
      const listed = tags.length ? sql`tag = any (${sql.param(tags)}::text[])` : sql`true`;
      return sql`case when ${HAS_NO_TAG} then array['']
        else array(select tag from unnest(lead.tags) tag where ${listed} and tag <> ${IMPORTED_TAG}) end`;
    }
    case 'week':
      return toWeekKeys(grouping);
  }
}

const toName = (by: GroupBy): SQL =>
  by === 'person' ? sql`(select ${NAME_OF_USER} from users where users.id = key::int)` : sql`key`;
