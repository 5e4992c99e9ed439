import { type SQL, sql } from 'drizzle-orm';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import type { ReportGroup } from '#contract/reports/group.ts';
import { type GroupFigures, MAX_GROUPS } from '#contract/reports/reports.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { cameTo } from '#server/leads/list/funnel.sql.ts';

interface Grouping {
  by: ReportGroup;
  /** The tags of the filter: a table by tag has no others. */
  tags: string[];
  timeZone: string;
  matches: SQL;
}

/** How far the leads of a condition came, by group; the groups with the most leads first. */
export async function countGroups(db: Db, grouping: Grouping): Promise<{ groups: GroupFigures[]; total: number }> {
  const { rows } = await db.execute<GroupFigures & { total: number } & Record<string, unknown>>(sql`
    with held as materialized (
      select ${toKeys(grouping)} as keys, ${cameTo('contacted')} as contacted, ${cameTo('reached')} as reached,
        ${cameTo('qualified')} as qualified, ${cameTo('won')} as won, ${cameTo('lost')} as lost
      from user_businesses lead where ${grouping.matches}
    ), grouped as (
      select key, count(*)::int as assigned, count(*) filter (where contacted)::int as contacted,
        count(*) filter (where reached)::int as reached, count(*) filter (where qualified)::int as qualified,
        count(*) filter (where won)::int as won, count(*) filter (where lost)::int as lost,
        (count(*) over ())::int as total
      from held cross join lateral (select distinct unnest(keys) as key) each_key
      where key is not null group by key
    )
    select key, ${toName(grouping.by)} as name, assigned, contacted, reached, qualified, won, lost, total
    from grouped order by assigned desc, key limit ${MAX_GROUPS}`);
  return { groups: rows.map(({ total, ...group }) => group), total: rows[0]?.total ?? 0 };
}

/** The groups that a lead is in. */
function toKeys({ by, tags, timeZone }: Grouping): SQL {
  switch (by) {
    case 'person':
      return sql`array[lead.user_id::text]`;
    case 'type':
      return sql`array[lead.business_type]`;
    case 'district':
      return sql`array[lead.district]`;
    case 'source':
      return sql`array[case when lead.imported then 'import' else 'search' end]`;
    case 'tag': {
      const listed = tags.length ? sql`tag = any (${sql.param(tags)}::text[])` : sql`true`;
      return sql`array(select tag from unnest(lead.tags) tag where ${listed} and tag <> ${IMPORTED_TAG})`;
    }
    case 'week':
      return sql`array[to_char(date_trunc('week', lead.assigned_at at time zone ${timeZone}), 'YYYY-MM-DD')]`;
  }
}

const toName = (by: ReportGroup): SQL =>
  by === 'person'
    ? sql`(select coalesce(nullif(users.full_name, ''), users.username) from users where users.id = key::int)`
    : sql`key`;
