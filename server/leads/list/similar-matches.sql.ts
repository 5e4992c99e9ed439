import { sql } from 'drizzle-orm';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { hasCorrectableWord, matchesText } from '#server/find/matches-text.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { inView } from './lead-filter.sql.ts';

/**
 * The filter, with typing errors in its text where no lead in view matches the text as it is. Other filters have no say in
 * that: a lead that one of them hides is still the one that was meant, and all columns of a board agree.
 */
export async function withSimilar<F extends LeadFilter>(
  db: Db,
  viewer: Viewer,
  filter: F,
  lookedUp?: string[],
): Promise<F> {
  const { q } = filter;
  if (!q || filter.similar || !hasCorrectableWord(q)) return filter;
  // Without a LIMIT in the CTE, as in the page of a list.
  const { rows } = await db.execute(sql`
    with matching as materialized (select from user_businesses lead where ${inView(viewer, filter)} and ${matchesText(q, lookedUp)})
    select from matching limit 1`);
  return { ...filter, similar: rows.length === 0 };
}
