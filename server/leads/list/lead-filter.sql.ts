import { type SQL, sql } from 'drizzle-orm';
import type { LeadFilter, LeadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';

// The list's SQL is written as text with parameters, with `lead` as the alias of user_businesses: building it from column
// objects took longer than many of these queries.

/** What a viewer sees in lists: admins every lead, everyone else their own. */
export const inView = (viewer: Viewer): SQL => (viewer.role === 'admin' ? sql`true` : heldBy(viewer.id));

export const heldBy = (userId: number): SQL => sql`lead.user_id = ${userId}`;

/** The leads of a list. Existing customers, where they are shown, are filtered by user and name only. */
export function matchesFilter(viewer: Viewer, filter: LeadFilter): SQL {
  const { user, q, status, tags, town } = filter;
  const forAll = [inView(viewer)];
  if (user !== undefined) forAll.push(heldBy(user));
  if (q) forAll.push(nameContains(q));
  if (!filter.archived) forAll.push(sql`not lead.archived`);

  const forOrdinary: SQL[] = [];
  if (status) forOrdinary.push(sql`lead.status = ${status}`);
  // In the words of the partial indexes, so that they apply.
  if (filter.hideClosed) forOrdinary.push(sql`lead.status not in ('closed_won', 'closed_lost')`);
  if (tags.length) forOrdinary.push(sql`lead.tags && ${sql.param(tags)}::text[]`);
  if (town) forOrdinary.push(sql`lead.search_town = search_text(${town})`);

  if (!filter.existing) return and([...forAll, sql`not lead.existing_customer`, ...forOrdinary]);
  return forOrdinary.length ? and([...forAll, sql`(lead.existing_customer or ${and(forOrdinary)})`]) : and(forAll);
}

/** Without three letters in a row there is no trigram; LIKE would then be planned as a scan of the whole trigram index. */
function nameContains(q: string): SQL {
  if (!/[\p{L}\p{N}]{3}/u.test(q)) return sql`strpos(lead.search_name, search_text(${q})) > 0`;
  return sql`lead.search_name like search_text(${`%${escapeLike(q)}%`})`;
}

const and = (conditions: SQL[]) => sql.join(conditions, sql` and `);

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The two orders of the list. */
export const ORDER_BY = {
  newest: sql`order by lead.assigned_at desc, lead.id desc`,
  oldest: sql`order by lead.assigned_at, lead.id`,
};

/** The leads after this one in the order of the list. Compared as a row, so that an index scan starts right there. */
export function after({ assignedAt, id }: { assignedAt: string; id: number }, sort: LeadPageQuery['sort']): SQL {
  const beyond = sort === 'newest' ? sql`<` : sql`>`;
  return sql`(lead.assigned_at, lead.id) ${beyond} (${assignedAt}::timestamptz, ${id}::int)`;
}
