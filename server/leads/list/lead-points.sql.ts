import { type SQL, sql } from 'drizzle-orm';
import type { LeadPointsQuery } from '#contract/leads/lead-filter.ts';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { matchesFilter } from './lead-filter.sql.ts';

const MAX_POINTS = 50_000;

/** The positions of the filtered leads within the visible area of the map. */
export async function leadPoints(db: Db, viewer: Viewer, query: LeadPointsQuery, time: ListTime) {
  const { north, south, east, west } = query;
  const inArea: SQL[] = [sql`business.latitude is not null and business.longitude is not null`];
  if (south !== undefined) inArea.push(sql`business.latitude >= ${south}`);
  if (north !== undefined) inArea.push(sql`business.latitude <= ${north}`);
  if (west !== undefined) inArea.push(sql`business.longitude >= ${west}`);
  if (east !== undefined) inArea.push(sql`business.longitude <= ${east}`);
  const { rows } = await db.execute<LeadPoint & Record<string, unknown>>(sql`
    select lead.id, business.latitude, business.longitude, lead.status, business.type
    from user_businesses lead join businesses business on business.id = lead.business_id
    where ${matchesFilter(viewer, query, time)} and ${sql.join(inArea, sql` and `)}
    limit ${MAX_POINTS + 1}`);
  return { points: rows.slice(0, MAX_POINTS), capped: rows.length > MAX_POINTS };
}
