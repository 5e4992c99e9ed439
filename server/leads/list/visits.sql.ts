import { sql } from 'drizzle-orm';
import type { Point } from '#contract/geo.ts';
import type { LeadStatus } from '#contract/leads/lead.ts';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import { isWrongPhone } from '#contract/leads/phone.ts';
import { MAX_UNPLACED, type VisitStop } from '#contract/leads/visits.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from './lead-dates.sql.ts';
import { matchesFilter } from './lead-filter.sql.ts';

const MAX_NAMED = 10;

const LEADS_AND_BUSINESSES = sql`user_businesses lead join businesses business on business.id = lead.business_id`;

type StopRow = Omit<VisitStop, 'phoneIsWrong' | 'status'> & { status: LeadStatus; wrongPhone: string | null };

/** The open leads of the filter that are nearest to a position. */
export async function nearestLeads(
  db: Db,
  viewer: Viewer,
  { filter, start, count }: { filter: LeadFilter; start: Point; count: number },
  time: ListTime,
): Promise<VisitStop[]> {
  // On a plane that touches the globe at the start: exact enough to say which of two leads is nearer, and no trigonometry
  // for each row.
  const scale = Math.cos((start.latitude * Math.PI) / 180);
  const { rows } = await db.execute<StopRow & Record<string, unknown>>(sql`
    select lead.id, lead.uuid, lead.status, business.name, business.formatted_address as address, business.phone,
      business.wrong_phone as "wrongPhone", business.latitude, business.longitude,
      business.position_approximate as "positionApproximate"
    from ${LEADS_AND_BUSINESSES}
    where ${matchesFilter(viewer, onlyOpen(filter), time)}
      and business.latitude is not null and business.longitude is not null
    order by (business.latitude - ${start.latitude}::float8) ^ 2
      + ((business.longitude - ${start.longitude}::float8) * ${scale}::float8) ^ 2, lead.id
    limit ${count}`);
  return rows.map(({ wrongPhone, ...stop }) => ({ ...stop, phoneIsWrong: isWrongPhone(stop.phone, wrongPhone) }));
}

/** The open leads of the filter that have no position. */
export async function unplacedLeads(db: Db, viewer: Viewer, filter: LeadFilter, time: ListTime) {
  const { rows } = await db.execute<{ uuid: string; name: string }>(sql`
    select lead.uuid, business.name from ${LEADS_AND_BUSINESSES}
    where ${matchesFilter(viewer, onlyOpen(filter), time)}
      and (business.latitude is null or business.longitude is null)
    limit ${MAX_UNPLACED}`);
  const byName = rows.toSorted((a, b) => a.name.localeCompare(b.name));
  return { count: rows.length, leads: byName.slice(0, MAX_NAMED) };
}

/** Closed and archived leads are not visited, even where the list shows them. */
const onlyOpen = (filter: LeadFilter): LeadFilter => ({ ...filter, hideClosed: true, archived: false });
