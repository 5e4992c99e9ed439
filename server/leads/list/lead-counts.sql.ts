import { sql } from 'drizzle-orm';
import { type LeadFilter, MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { matchesFilter } from './lead-filter.sql.ts';
import { withSimilar } from './similar-matches.sql.ts';

/** How many leads each filter matches, counted as the total of a page is: up to 10,000. */
export async function countLists(db: Db, viewer: Viewer, filters: LeadFilter[], time: ListTime) {
  if (!filters.length) return [];
  const resolved = await Promise.all(filters.map((filter) => withSimilar(db, viewer, filter)));
  // Without a LIMIT in the CTE, as in the page of a list.
  const counts = resolved.map(
    (filter, nth) => sql`select ${nth}::int as nth, count(*)::int as total from (
      with matching as materialized (select from user_businesses lead where ${matchesFilter(viewer, filter, time)})
      select from matching limit ${MAX_TOTAL + 1}) counted`,
  );
  const { rows } = await db.execute<{ total: number }>(sql`${sql.join(counts, sql` union all `)} order by nth`);
  return rows.map(({ total }) => ({ total: Math.min(total, MAX_TOTAL), totalCapped: total > MAX_TOTAL }));
}
