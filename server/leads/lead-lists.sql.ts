import { and, arrayOverlaps, asc, desc, eq, ilike, inArray, lt, not, or, type SQL, sql } from 'drizzle-orm';
import { IMPORTED_TAG, type LeadItem, type LeadStatus } from '#contract/leads/lead.ts';
import { COUNTED_TO, type LeadFilter, type LeadPageQuery, type LeadPointsQuery } from '#contract/leads/lead-filter.ts';
import { websiteOf } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';
import { businessColumns, holderColumns, leadColumns } from './leads.sql.ts';

const CLOSED: LeadStatus[] = ['closed_won', 'closed_lost'];
const MOST_POINTS = 50_000;

/** What a viewer may see in lists: admins everything, everybody else their own. */
export const inView = (viewer: Viewer): SQL | undefined =>
  viewer.role === 'admin' ? undefined : eq(leads.userId, viewer.id);

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Existing customers pass by user and name alone; all others by every filter. */
export function matching(viewer: Viewer, filter: LeadFilter): SQL | undefined {
  const ordinary = and(
    eq(leads.existingCustomer, false),
    filter.status && eq(leads.status, filter.status),
    filter.hideClosed ? not(inArray(leads.status, CLOSED)) : undefined,
    filter.tags.length ? arrayOverlaps(leads.tags, filter.tags) : undefined,
    filter.town ? sql`lower(${businesses.town}) = ${filter.town.toLowerCase()}` : undefined,
  );
  return and(
    inView(viewer),
    filter.user === undefined ? undefined : eq(leads.userId, filter.user),
    filter.q ? ilike(businesses.name, `%${literal(filter.q)}%`) : undefined,
    filter.archived ? undefined : eq(leads.archived, false),
    filter.existing ? or(eq(leads.existingCustomer, true), ordinary) : ordinary,
  );
}

const needsBusiness = (filter: LeadFilter) => Boolean(filter.q || filter.town);

/** How many leads match, counted no further than people can use. */
export async function countLeads(db: Db, viewer: Viewer, filter: LeadFilter) {
  const one = db.select({ one: sql`1` }).from(leads);
  const joined = needsBusiness(filter) ? one.innerJoin(businesses, eq(businesses.id, leads.businessId)) : one;
  const some = joined.where(matching(viewer, filter)).limit(COUNTED_TO + 1);
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some.as('some'));
  const count = row?.count ?? 0;
  return { total: Math.min(count, COUNTED_TO), totalCapped: count > COUNTED_TO };
}

export async function leadsOnPage(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<LeadItem[]> {
  const order = query.sort === 'newest' ? desc : asc;
  // The ids of the page first, so that only the rows on it are joined and read whole.
  const ids = db.select({ id: leads.id }).from(leads);
  const joined = needsBusiness(query) ? ids.innerJoin(businesses, eq(businesses.id, leads.businessId)) : ids;
  const page = joined
    .where(matching(viewer, query))
    .orderBy(order(leads.assignedAt), order(leads.id))
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize);
  return readItems(db, sql`${leads.id} in ${page}`, [order(leads.assignedAt), order(leads.id)]);
}

async function readItems(db: Db, where: SQL | undefined, orderBy: SQL[], limit?: number): Promise<LeadItem[]> {
  const rows = db
    .select({ business: businessColumns, userBusiness: leadColumns, user: holderColumns })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .innerJoin(users, eq(users.id, leads.userId))
    .where(where)
    .orderBy(...orderBy);
  const items = await (limit === undefined ? rows : rows.limit(limit));
  return items.map((item) => ({ ...item, business: { ...item.business, website: websiteOf(item.business.website) } }));
}

const BATCH = 500;

/** Every lead of a list, newest first, read in short queries so that nobody else waits for a long one. */
export async function* everyLead(db: Db, scope: SQL | undefined): AsyncGenerator<LeadItem[]> {
  let after: { assignedAt: string; id: number } | undefined;
  for (;;) {
    const older = after
      ? or(lt(leads.assignedAt, after.assignedAt), and(eq(leads.assignedAt, after.assignedAt), lt(leads.id, after.id)))
      : undefined;
    const items = await readItems(db, and(scope, older), [desc(leads.assignedAt), desc(leads.id)], BATCH);
    if (items.length) yield items;
    if (items.length < BATCH) return;
    const last = items.at(-1)?.userBusiness;
    after = last && { assignedAt: last.assignedAt, id: last.id };
  }
}

export async function leadPoints(db: Db, viewer: Viewer, query: LeadPointsQuery) {
  const { latitude, longitude } = businesses;
  const { north, south, east, west } = query;
  const rows = await db
    .select({ id: leads.id, latitude: sql<number>`${latitude}`, longitude: sql<number>`${longitude}` })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .where(
      and(
        matching(viewer, query),
        sql`${latitude} is not null and ${longitude} is not null`,
        south === undefined ? undefined : sql`${latitude} >= ${south}`,
        north === undefined ? undefined : sql`${latitude} <= ${north}`,
        west === undefined ? undefined : sql`${longitude} >= ${west}`,
        east === undefined ? undefined : sql`${longitude} <= ${east}`,
      ),
    )
    .limit(MOST_POINTS + 1);
  return { points: rows.slice(0, MOST_POINTS), capped: rows.length > MOST_POINTS };
}

export async function townsInView(db: Db, viewer: Viewer): Promise<string[]> {
  const rows = await db
    .selectDistinct({ town: businesses.town })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .where(and(inView(viewer), sql`${businesses.town} is not null`));
  return sorted(rows.map(({ town }) => town ?? ''));
}

export async function tagsInView(db: Db, viewer: Viewer): Promise<string[]> {
  const rows = await db
    .selectDistinct({ tag: sql<string>`unnest(${leads.tags})` })
    .from(leads)
    .where(inView(viewer));
  return sorted(rows.map(({ tag }) => tag).filter((tag) => tag !== IMPORTED_TAG));
}

export async function statusesInView(db: Db, viewer: Viewer): Promise<LeadStatus[]> {
  const rows = await db.selectDistinct({ status: leads.status }).from(leads).where(inView(viewer));
  return rows.map(({ status }) => status);
}

// The embedded database sorts by bytes; people do not.
const sorted = (words: string[]) => words.sort((a, b) => a.localeCompare(b, 'en'));
