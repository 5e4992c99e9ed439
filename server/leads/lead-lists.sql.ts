import { and, arrayOverlaps, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import { isClosed, type LeadItem, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import type { LeadFilter, LeadPageQuery, LeadPointsQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { businesses, leads } from '#server/kit/db/schema.ts';
import { ORDER_BY, readItems } from './lead-items.sql.ts';

const MOST_POINTS = 50_000;

/** What a viewer may see in lists: admins everything, everybody else their own. */
export const inView = (viewer: Viewer): SQL | undefined =>
  viewer.role === 'admin' ? undefined : eq(leads.userId, viewer.id);

export const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** How a condition is put, so that one index or another can answer it. */
export interface Wording {
  heldBy: (userId: number) => SQL;
  inStatus: (status: LeadStatus) => SQL;
  inTown: (town: string) => SQL;
  customer: SQL;
}

export const inColumns: Wording = {
  heldBy: (userId) => eq(leads.userId, userId),
  inStatus: (status) => eq(leads.status, status),
  // Both by the database: what its lower() leaves alone, JavaScript's may not.
  inTown: (town) => sql`lower(${leads.town}) = lower(${town})`,
  customer: fixed(sql`${leads.existingCustomer}`),
};

const CLOSED = leadStatus.options.filter(isClosed).map((status) => `'${status}'`);
const NO_CUSTOMER = fixed(sql`not ${leads.existingCustomer}`);
const NOT_CLOSED = fixed(sql`${leads.status} not in (${sql.raw(CLOSED.join(', '))})`);
const NOT_ARCHIVED = fixed(sql`not ${leads.archived}`);

/** Existing customers pass by user and name alone; all others by every filter. */
export function matching(viewer: Viewer, filter: LeadFilter, wording: Wording = inColumns): SQL | undefined {
  const ordinary = and(
    NO_CUSTOMER,
    filter.status && wording.inStatus(filter.status),
    filter.hideClosed ? NOT_CLOSED : undefined,
    filter.tags.length ? arrayOverlaps(leads.tags, filter.tags) : undefined,
    filter.town ? wording.inTown(filter.town) : undefined,
  );
  return and(
    viewer.role === 'admin' ? undefined : wording.heldBy(viewer.id),
    filter.user === undefined ? undefined : wording.heldBy(filter.user),
    filter.q ? ilike(leads.businessName, `%${literal(filter.q)}%`) : undefined,
    filter.archived ? undefined : NOT_ARCHIVED,
    filter.existing ? or(wording.customer, ordinary) : ordinary,
  );
}

/** What the index in the order of the list that leaves out most is by. Customers pass in any town and status. */
export function trailOf(viewer: Viewer, { user, town, status, existing }: LeadFilter): Trail {
  if (viewer.role !== 'admin') return { user: viewer.id };
  if (user !== undefined) return { user };
  if (existing) return {};
  return town ? { town } : { status };
}

/** One of these, or all leads by date. */
export type Trail = Partial<Pick<LeadFilter, 'user' | 'town' | 'status'>>;

export function along({ user, town, status }: Trail): SQL {
  if (user !== undefined) return inColumns.heldBy(user);
  if (town) return inColumns.inTown(town);
  return status ? inColumns.inStatus(status) : sql`true`;
}

/** The numbers and dates of leads along a trail, and how to keep what is found there in order. */
export function walkAlong(trail: Trail, sort: LeadPageQuery['sort']): { walk: SQL; order: SQL } {
  const { town } = trail;
  if (!town) {
    const order = ORDER_BY[sort];
    return { walk: sql`select ${leads.id}, ${leads.assignedAt} from ${leads} where ${along(trail)} ${order}`, order };
  }
  // In an order that only the index of towns has: the database may think it cheaper to meet the town's among all by date.
  const order = ORDER_IN_TOWNS[sort];
  const walk = sql`
    select ${leads.id}, ${leads.assignedAt}, lower(${leads.town}) as in_town from ${leads}
    where lower(${leads.town}) between lower(${town}) and lower(${town}) ${order}`;
  return { walk, order };
}

const ORDER_IN_TOWNS = {
  newest: fixed(sql`order by in_town, ${leads.assignedAt} desc, ${leads.id} desc`),
  oldest: fixed(sql`order by in_town desc, ${leads.assignedAt}, ${leads.id}`),
};

const BATCH = 500;

/** Every lead of a list, newest first, read in short queries so that nobody else waits for a long one. */
export async function* everyLead(db: Db, scope: SQL | undefined): AsyncGenerator<LeadItem[]> {
  let after: { assignedAt: string; id: number } | undefined;
  for (;;) {
    // Compared whole, so that the index of the order leads straight to where the last batch ended.
    const older =
      after && sql`(${leads.assignedAt}, ${leads.id}) < (${after.assignedAt}::timestamptz, ${after.id}::int)`;
    const items = await readItems(db, and(scope, older), ORDER_BY.newest, BATCH);
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
