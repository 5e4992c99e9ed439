import { sql } from 'drizzle-orm';
import { type LeadExportQuery, MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { matchesFilter } from './lead-filter.sql.ts';
import { orderBy, resolveSort } from './lead-sort.sql.ts';

/** The ids of all matching leads in list order, or of the first 10,000 that were found. */
export async function listMatchingIds(db: Db, viewer: Viewer, query: LeadExportQuery, time: ListTime) {
  const sort = await resolveSort(db, query.sort);
  // Without a LIMIT in the CTE, as in the page of a list.
  const { rows } = await db.execute<{ id: number }>(sql`
    with matching as materialized (
      select lead.id, ${sort.key} as sort_key from user_businesses lead
      where ${matchesFilter(viewer, query, time)}
    )
    select lead.id from (select * from matching limit ${MAX_TOTAL + 1}) lead
    ${orderBy(sort, sql`lead.sort_key`)}`);
  return { ids: rows.slice(0, MAX_TOTAL).map(({ id }) => id), capped: rows.length > MAX_TOTAL };
}
