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
}

/** How far the leads of a condition came, by group; the groups with the most leads first, and at last those without a value. */
export async function countGroups(db: Db, grouping: Grouping): Promise<{ groups: GroupFigures[]; total: number }> {
  const { rows } = await db.execute<GroupFigures & { total: number } & Record<string, unknown>>(sql`
    with held as materialized (
      select ${toKeys(grouping)} as keys, ${toAmount(grouping.sum)} as amount, ${cameTo('contacted')} as contacted, ${cameTo('reached')} as reached,
        ${cameTo('qualified')} as qualified, ${cameTo('won')} as won, ${cameTo('lost')} as lost
      from user_businesses lead where ${grouping.matches}
    ), grouped as (
      select key, count(*)::int as assigned, count(*) filter (where contacted)::int as contacted,
        count(*) filter (where reached)::int as reached, count(*) filter (where qualified)::int as qualified,
        count(*) filter (where won)::int as won, count(*) filter (where lost)::int as lost,
        coalesce(sum(amount), 0)::float8 as sum,
        (count(*) filter (where key <> '') over ())::int as total,
        row_number() over (order by key = '', count(*) desc, key) as place
      from held cross join lateral (select distinct unnest(keys) as key) each_key group by key
    )
    select key, ${toName(grouping.by)} as name, assigned, contacted, reached, qualified, won, lost, sum, total
    from grouped where place <= ${MAX_GROUPS} or key = '' order by place`);
  const groups = rows.map(({ total, sum, ...group }) => ({
    ...group,
    ...(grouping.sum && sum !== undefined && { sum }),
  }));
  return { groups, total: rows[0]?.total ?? 0 };
}

/** The groups that a lead is in; the empty one is that of the leads without a value. */
function toKeys(grouping: Grouping): SQL {
  const fieldId = parseOwnGroup(grouping.by);
  // Not those of own fields.
  return fieldId ? toOwnKeys(fieldId) : toBuiltInKeys(grouping.by as ReportGroup, grouping);
}

const toOwnKeys = (fieldId: number): SQL => {
  const value = sql`lead.own_fields -> ${String(fieldId)}::text`;
  return sql`case when jsonb_typeof(${value}) = 'array' then array(select jsonb_array_elements_text(${value}))
    else array[coalesce(lead.own_fields ->> ${String(fieldId)}::text, '')] end`;
};

const toAmount = (fieldId = 0): SQL => {
  const value = sql`lead.own_fields -> ${String(fieldId)}::text`;
  return sql`case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`;
};

function toBuiltInKeys(by: ReportGroup, { tags, timeZone }: Grouping): SQL {
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
      return sql`array[to_char(date_trunc('week', lead.assigned_at at time zone ${timeZone}), 'YYYY-MM-DD')]`;
  }
}

const toName = (by: GroupBy): SQL =>
  by === 'person' ? sql`(select ${NAME_OF_USER} from users where users.id = key::int)` : sql`key`;
