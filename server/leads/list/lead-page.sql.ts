import { type SQL, sql } from 'drizzle-orm';
import { explainMatch, type FindableLead } from '#contract/leads/find/lead-match.ts';
import type { LeadItem } from '#contract/leads/lead.ts';
import { type LeadPageQuery, MAX_TOTAL, PAGE_SIZES } from '#contract/leads/lead-filter.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { listsEveryLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type Unchecked, withObjections } from '#server/contact-rules/objection-facts.sql.ts';
import { OWN_TEXTS } from '#server/find/own-texts.sql.ts';
import { sampleText } from '#server/find/sample-text.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { executePrepared } from '#server/kit/db/execute-prepared.ts';
import { JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { isDefaultView, matchesFilter } from './lead-filter.sql.ts';
import { ITEM_COLUMNS, type ItemRow, LATEST_ACTIVITY, toItem } from './lead-items.sql.ts';
import { filtersBySortKey, isByAssignment, orderBy, resolveSort, type Sort } from './lead-sort.sql.ts';
import { withSimilar } from './similar-matches.sql.ts';

/** So many matches are sorted where a scan in list order may begin with all the leads that the filter excludes. */
const MAX_SORTED = 50_000;

interface LeadsOnPage {
  items: ListedLead[];
  total: number;
  totalCapped: boolean;
  similar: boolean;
}

export interface PageRow extends ItemRow, Pick<FindableLead, 'town' | 'internationalPhone' | 'ownTexts'> {
  total: number;
  latestActivity: ListedLead['latestActivity'];
}

interface List {
  query: LeadPageQuery;
  sort: Sort;
  time: ListTime;
  lookedUp: string[] | undefined;
}

/** Part of the text, so that a prepared statement is planned for it. */
const literal = (value: number): SQL => sql.raw(String(value));

/** One page and the total. If no lead matches the search text, those that match after a typing error. */
export async function leadPage(db: Db, viewer: Viewer, query: LeadPageQuery, time: ListTime): Promise<LeadsOnPage> {
  const holder = listsEveryLead(viewer, query) ? query.user : viewer.id;
  const lookedUp = query.q ? (await sampleText(db, query.q, holder)).lookedUp : undefined;
  const sort = await resolveSort(db, query.sort);
  const read = (query: LeadPageQuery) => readPage(db, viewer, { query, sort, time, lookedUp });
  const page = await read(query);
  if (page.total || query.similar) return page;
  const similar = await withSimilar(db, viewer, query, lookedUp);
  return similar.similar ? read(similar) : page;
}

/**
 * At most 10,001 matching leads are collected. If those are all, the page is sorted out of them;
 * if there are more, so many match that a scan in list order soon finds the page. Where it may not, more are collected.
 */
async function readPage(db: Db, viewer: Viewer, { query, sort, time, lookedUp }: List): Promise<LeadsOnPage> {
  const matches = matchesFilter(viewer, query, time, lookedUp);
  // In list order, so many match that nothing is looked up.
  const matchesInOrder = matchesFilter(viewer, query, time, []);
  const order = orderBy(sort);
  const maxSorted = filtersBySortKey(sort, query) ? MAX_SORTED : MAX_TOTAL;
  const onPage = sql`limit ${literal(query.pageSize)} offset ${literal((query.page - 1) * query.pageSize)}`;
  const isDefault = isDefaultView(query) && isByAssignment(sort);
  // The index of the default view has nothing but its leads, in this order: they are counted there and not collected.
  const collected = isDefault ? sql`not materialized` : sql`materialized`;
  // A column of no index: without it, the planner may scan the whole index by status, and read the table for every entry
  // directly after a bulk change.
  const notInIndex = isByAssignment(sort) && !query.existing ? sql`` : sql`, lead.viewed`;
  // `matching` has no LIMIT: with one, the planner expects to find 10,001 rows soon, and scans the table even for a rare
  // filter. The CTE is still read only as far as it is counted.
  const statement = sql`
    with matching as ${collected} (
      select lead.id, ${sort.key} as sort_key${notInIndex} from user_businesses lead where ${matches}
    ), counted as materialized (
      select count(*)::int as total, count(*) > ${literal(maxSorted)} as capped
      from (select from matching limit ${literal(maxSorted + 1)}) found
    ), page as (
      (select lead.id from matching lead where not (select capped from counted)
        ${orderBy(sort, sql`lead.sort_key`)} ${onPage})
      union all
      (select lead.id from user_businesses lead where (select capped from counted) and ${matchesInOrder}
        ${order} ${onPage})
    )
    select counted.total, ${listedColumns(query)}
    from counted left join (page join user_businesses lead using (id) ${JOIN_BUSINESS_AND_HOLDER} ${LATEST_ACTIVITY}) on true
    ${order}`;
  // Planning takes two fifths of the time of an opened list, even among a million leads.
  const isOpened = isDefault && query.page === 1 && PAGE_SIZES.some((size) => size === query.pageSize);
  const { rows } = await (isOpened ? executePrepared<PageRow>(db, statement) : db.execute<PageRow>(statement));
  const total = rows[0]?.total ?? 0;
  return {
    // An empty page is one row with only the total.
    items: await withObjections(
      db,
      rows.filter((row) => row['lead.id'] !== null).map((row) => toListedLead(row, query)),
    ),
    total: Math.min(total, MAX_TOTAL),
    totalCapped: total > MAX_TOTAL,
    similar: query.similar && total > 0,
  };
}

/** What `toListedLead` reads. */
export const listedColumns = ({ q }: Pick<LeadPageQuery, 'q'>): SQL => sql`${ITEM_COLUMNS},
  latest_activity.summary as "latestActivity", business.town,
  business.international_phone as "internationalPhone"${q ? sql`, ${OWN_TEXTS}` : sql``}`;

export function toListedLead(row: PageRow, query: LeadPageQuery): Unchecked<ListedLead> {
  const item = toItem(row);
  return { ...item, latestActivity: row.latestActivity, match: explain(item, row, query) };
}

function explain({ business, userBusiness: lead }: Unchecked<LeadItem>, row: PageRow, { q, similar }: LeadPageQuery) {
  if (!q) return null;
  const match = explainMatch(
    q,
    {
      name: business.name,
      town: row.town,
      address: business.formattedAddress,
      phone: business.phone,
      internationalPhone: row.internationalPhone,
      email: lead.customFields.email ?? null,
      contactPerson: lead.customFields.contactPerson ?? null,
      notes: lead.notes,
      ownTexts: row.ownTexts,
    },
    similar ? 'similar' : 'exact',
  );
  return match.field === 'name' ? null : match;
}
