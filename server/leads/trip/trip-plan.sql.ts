import { type SQL, sql } from 'drizzle-orm';
import { MILES_PER_DEGREE, type Point } from '#contract/geo.ts';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import { MAX_UNPLACED } from '#contract/leads/trip/trip.calls.ts';
import { findReason, type PlannedStop } from '#contract/leads/trip/trip.ts';
import type { Viewer } from '#contract/users/user.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from '#server/leads/list/lead-dates.sql.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { LEADS_AND_BUSINESSES, PLACE_COLUMNS, type PlaceRow, toPlace } from './stop-columns.sql.ts';

const MAX_NAMED = 10;

interface Plan {
  filter: LeadFilter;
  start: Point;
  count: number;
  /** In miles. */
  dueWithin: number;
  endOfDay: Date;
}

/** The open leads of the filter for a trip: those that are due and not too far, the earliest first, then the nearest. */
export async function leadsForTrip(
  db: Db,
  viewer: Viewer,
  { filter, start, count, dueWithin, endOfDay }: Plan,
  time: ListTime,
): Promise<PlannedStop[]> {
  const farthest = (dueWithin / MILES_PER_DEGREE) ** 2;
  const { rows } = await db.execute<PlaceRow>(sql`
    with placed as (
      select lead.id, lead.next_step_at, ${squaredDegrees(start)} as distance
      from ${LEADS_AND_BUSINESSES}
      where ${matchesFilter(viewer, onlyOpen(filter), time)}
        and business.latitude is not null and business.longitude is not null
    ), chosen as (
      select id, distance, case when next_step_at < ${endOfDay.toISOString()}::timestamptz
        and distance <= ${farthest}::float8 then next_step_at end as due_at
      from placed order by due_at, distance, id limit ${count}
    )
    select ${PLACE_COLUMNS} from chosen join (${LEADS_AND_BUSINESSES}) on lead.id = chosen.id
    order by chosen.due_at, chosen.distance, lead.id`);
  const objections = await readObjections(db, rows);
  return rows.map((row, nth) => {
    const { holderId, archived, nextStepAt, ...place } = toPlace(row);
    return {
      ...place,
      objections: objections[nth] ?? [],
      reason: findReason({ ...place, nextStepAt }, start, endOfDay),
    };
  });
}

/**
 * On a plane that touches the globe at the start: exact enough to say which of two leads is nearer, and no trigonometry for
 * each row.
 */
function squaredDegrees({ latitude, longitude }: Point): SQL {
  const scale = Math.cos((latitude * Math.PI) / 180);
  return sql`(business.latitude - ${latitude}::float8) ^ 2
    + ((business.longitude - ${longitude}::float8) * ${scale}::float8) ^ 2`;
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
