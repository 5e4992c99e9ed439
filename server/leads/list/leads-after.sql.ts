import { sql } from 'drizzle-orm';
import { takePage } from '#contract/cursor.ts';
import { type LeadPageQuery, MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { withObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { matchesFilter } from './lead-filter.sql.ts';
import { LATEST_ACTIVITY } from './lead-items.sql.ts';
import { listedColumns, type PageRow, toListedLead } from './lead-page.sql.ts';

/**
 * The matching leads after an id, in the order of their ids: nothing changes these, so that a client that reads one page after
 * the other gets no lead twice, and misses none that matches all the time.
 */
export async function leadsAfter(db: Db, viewer: Viewer, query: LeadPageQuery & { after: number }, time: ListTime) {
  const matches = matchesFilter(viewer, query, time);
  const { rows } = await db.execute<PageRow>(sql`
    select ${listedColumns(query)}
    from (
      select lead.id from user_businesses lead where ${matches} and lead.id > ${query.after}
      order by lead.id limit ${query.pageSize + 1}
    ) page join user_businesses lead using (id) ${JOIN_BUSINESS_AND_HOLDER} ${LATEST_ACTIVITY}
    order by lead.id`);
  const { rows: counted } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from (select from user_businesses lead where ${matches} limit ${MAX_TOTAL + 1}) found`);
  const listed = await withObjections(
    db,
    rows.map((row) => toListedLead(row, query)),
  );
  const total = counted[0]?.total ?? 0;
  return {
    ...takePage(listed, query.pageSize, ({ userBusiness }) => userBusiness.id),
    total: Math.min(total, MAX_TOTAL),
    totalCapped: total > MAX_TOTAL,
    similar: query.similar && total > 0,
  };
}
