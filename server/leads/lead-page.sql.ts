import { type SQL, sql } from 'drizzle-orm';
import type { LeadItem } from '#contract/leads/lead.ts';
import { COUNTED_TO, type LeadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { leads } from '#server/kit/db/schema.ts';
import { type FoundInSets, foundInSets } from './found-in-sets.sql.ts';
import { countedAlong, countedLeads } from './lead-counts.sql.ts';
import { ORDER_BY, readItems } from './lead-items.sql.ts';
import { along, inColumns, matching, trailOf, type Wording } from './lead-lists.sql.ts';

export interface Found {
  items: LeadItem[];
  total: number;
  totalCapped: boolean;
}

/** A page of the list and how many there are, at a cost that does not grow with the leads that are not on it. */
export async function leadPage(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<Found> {
  const total = await countedLeads(db, viewer, query);
  if (total !== undefined) return { items: await countedPage(db, viewer, query, total), total, totalCapped: false };
  const found = await foundInSets(db, viewer, query);
  if (!found) return uncountedPage(db, viewer, query);
  return { items: await pageInSets(db, viewer, query, found), total: found.total, totalCapped: false };
}

async function pageInSets(db: Db, viewer: Viewer, query: LeadPageQuery, { total, ids, all }: FoundInSets) {
  if (all) return pageOf(db, query, matchingOf(allAtOnce(among(all)), viewer, query));
  return ids.length < onThePage(query, total) ? lookUp(db, viewer, query) : readPage(db, viewer, query, ids);
}

const onThePage = ({ page, pageSize }: LeadPageQuery, total: number) =>
  Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize));

async function countedPage(db: Db, viewer: Viewer, query: LeadPageQuery, total: number): Promise<LeadItem[]> {
  const many = onThePage(query, total);
  if (!many) return [];
  const steps = await stepsThatPay(db, viewer, query, total);
  if (steps) {
    const items = await walk(db, viewer, query, steps);
    if (items.length === many) return items;
  }
  return byWeeks(query, total) ? lookUpByWeeks(db, viewer, query) : lookUp(db, viewer, query);
}

/** Whether to look up those of one tag by the week (customers pass without it): if that reads less than all at once. */
const byWeeks = (query: LeadPageQuery, total: number) =>
  query.tags.length === 1 && !query.existing && readByWeeks(query, total) < total;

/** In rows: the page, the rest of its last week, and what it costs to begin each week. */
function readByWeeks({ page, pageSize }: LeadPageQuery, total: number): number {
  const needed = page * pageSize;
  return needed + total / FEW_WEEKS + (needed / total) * MANY_WEEKS * ROWS_A_WEEK;
}

/** Nobody knows how many weeks there are, so they are guessed to be few where that costs more, and many where that does. */
const FEW_WEEKS = 50;
const MANY_WEEKS = 150;
const ROWS_A_WEEK = 20;

/**
 * How far to walk, if that is cheaper than a look-up, which reads all that matches: a walk meets what matches as often as
 * it is among what it goes along. Some further than that, and no more: asked for much of a town, the database would
 * rather fetch all of it and sort.
 */
async function stepsThatPay(db: Db, viewer: Viewer, query: LeadPageQuery, total: number): Promise<number | undefined> {
  const { tags, town, status, existing, user } = query;
  const alongUser = viewer.role !== 'admin' || user !== undefined;
  const words = [tags.length > 0, town, status].filter(Boolean).length;
  const filtered = alongUser || existing ? words > 0 : tags.length > 0 || words > 1;
  const needed = query.page * query.pageSize;
  if (!filtered) return Math.min(100 + 10 * needed, 600 + 2 * needed);
  const expected = (needed / total) * (await countedAlong(db, viewer, query));
  const lookedUp = byWeeks(query, total) ? readByWeeks(query, total) : total;
  return expected <= lookedUp + BEGINNING ? Math.ceil(100 + 4 * expected) : undefined;
}

/** As many steps as it costs to begin a look-up, with words that very many leads have. */
const BEGINNING = 500;

/** Looks up as many as are counted at most. If those are all, the page is among them. */
async function uncountedPage(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<Found> {
  const { ids, total } = await lookUpAndCount(db, viewer, query, COUNTED_TO + 1);
  if (total <= COUNTED_TO) return { items: await readPage(db, viewer, query, ids), total, totalCapped: false };
  // So many match that a walk meets enough of them soon; where they all are at its other end, it is given up.
  const walked = await walk(db, viewer, query, 2_000 + 20 * query.page * query.pageSize);
  const items = walked.length === query.pageSize ? walked : await lookUp(db, viewer, query);
  return { items, total: COUNTED_TO, totalCapped: true };
}

/** Asked once more whether they match: somebody may have handed one over a moment ago. */
async function readPage(db: Db, viewer: Viewer, query: LeadPageQuery, ids: number[]): Promise<LeadItem[]> {
  if (!ids.length) return [];
  return readItems(db, sql`${among(ids)} and ${matching(viewer, query)}`, orderBy(query));
}

const among = (ids: number[]) => sql`${leads.id} = any (${sql.param(ids)}::int[])`;
const orderBy = ({ sort }: LeadPageQuery) => ORDER_BY[sort];
const onPage = ({ page, pageSize }: LeadPageQuery) => sql`limit ${pageSize} offset ${(page - 1) * pageSize}`;

/**
 * Goes through an index that is in the order of the list until the page is full, but only so many steps: where few match
 * it would go through all leads there are.
 */
function walk(db: Db, viewer: Viewer, query: LeadPageQuery, steps: number): Promise<LeadItem[]> {
  const walked = sql`select * from ${leads} where ${along(trailOf(viewer, query))} ${orderBy(query)} limit ${steps}`;
  return pageOf(db, query, matchingOf(walked, viewer, query));
}

/** Under the table's own name, so that what is said of it can be said of some of it. */
const matchingOf = (some: SQL, viewer: Viewer, query: LeadPageQuery) => sql`
  select * from (${some}) as ${leads} where ${matching(viewer, query)}`;

/** Looks up all that matches, and sorts it. */
const lookUp = (db: Db, viewer: Viewer, query: LeadPageQuery) =>
  pageOf(db, query, allAtOnce(matching(viewer, query, inWords)));

/** Looks up what matches of one week after the other, until the page is full. */
function lookUpByWeeks(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<LeadItem[]> {
  const [tag] = query.tags;
  const ofWeek = sql`${matching(viewer, { ...query, tags: [] }, inWords)} and ${TAG_WEEKS} @> array[week || ' ' || ${tag}]`;
  const page = sql`
    select ${leads.id} from ${WEEKS[query.sort]} cross join lateral (
      select ${leads.id} from (${allAtOnce(ofWeek)}) as ${leads} ${orderBy(query)}) as ${leads}
    ${onPage(query)}`;
  return readItems(db, sql`${leads.id} in (${page})`, orderBy(query));
}

const TAG_WEEKS = fixed(sql`lead_tag_weeks(${leads.tags}, lead_week(${leads.assignedAt}))`);

/** The weeks in which leads were assigned, in the order of the list. */
const [firstWeek, lastWeek] = [sql`min`, sql`max`].map(
  (end) => sql`(select lead_week(${end}(${leads.assignedAt})) from ${leads})`,
);
const WEEKS = {
  newest: fixed(sql`generate_series(${lastWeek}, ${firstWeek}, -1) as week`),
  oldest: fixed(sql`generate_series(${firstWeek}, ${lastWeek}) as week`),
};

/** Before anything else is thought of: asked for the first few in order, the database would hope to meet them on a walk. */
const allAtOnce = (where?: SQL) => sql`select * from ${leads} where ${where} offset 0`;

function pageOf(db: Db, query: LeadPageQuery, matches: SQL): Promise<LeadItem[]> {
  const page = sql`select ${leads.id} from (${matches}) as ${leads} ${orderBy(query)} ${onPage(query)}`;
  return readItems(db, sql`${leads.id} in (${page})`, orderBy(query));
}

const words = fixed(sql`array['u' || ${leads.userId}::text, 's' || ${leads.status}, 't' || lower(${leads.town}),
  case when ${leads.existingCustomer} then 'c' end]`);
const has = (word: SQL) => sql`${words} @> array[${word}]`;

/** As the one index has it that answers every mix of words (user_businesses_found). */
const inWords: Wording = {
  heldBy: (userId) => has(sql`${`u${userId}`}`),
  // So many leads are new that to look for that word costs more than it leaves out.
  inStatus: (status) => (status === 'new' ? inColumns.inStatus(status) : has(sql`${`s${status}`}`)),
  inTown: (town) => has(sql`'t' || lower(${town})`),
  customer: fixed(has(sql`'c'`)),
};

async function lookUpAndCount(db: Db, viewer: Viewer, query: LeadPageQuery, most: number) {
  const { rows } = await db.execute<{ total: number; ids: number[] }>(sql`
    with found as materialized (
      select ${leads.id}, ${leads.assignedAt} from ${leads} where ${matching(viewer, query, inWords)} limit ${most})
    select (select count(*)::int from found) as total,
      array(select ${leads.id} from found as ${leads} ${orderBy(query)} ${onPage(query)}) as ids`);
  return rows[0] ?? { total: 0, ids: [] };
}
