import { and, eq, inArray, sql } from 'drizzle-orm';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { StopReason, Trip, TripStart, TripStop } from '#contract/leads/trip/trip.ts';
import type { Viewer } from '#contract/users/user.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { tripStops, trips } from '#server/schema/trips.ts';
import { users } from '#server/schema/users.ts';
import { LEADS_AND_BUSINESSES, PLACE_COLUMNS, type PlaceRow, type StopLead, toPlace } from './stop-columns.sql.ts';

const tripColumns = {
  id: trips.id,
  startedAt: trips.startedAt,
  latitude: trips.latitude,
  longitude: trips.longitude,
  startName: trips.startName,
};

/** The trip that a user is on. */
export async function findTrip(db: Db, viewer: Viewer): Promise<Trip | null> {
  const [row] = await db.select(tripColumns).from(trips).where(eq(trips.userId, viewer.id));
  return row ? toTrip(db, viewer, row) : null;
}

/** The same, locked until the transaction ends; undefined where the user is not on this trip. */
export async function lockTrip(tx: Db, viewer: Viewer, tripId: string): Promise<Trip | undefined> {
  const [row] = await tx
    .select(tripColumns)
    .from(trips)
    .where(and(eq(trips.userId, viewer.id), eq(trips.id, tripId)))
    .for('update');
  return row && toTrip(tx, viewer, row);
}

type TripRow = Pick<typeof trips.$inferSelect, keyof typeof tripColumns>;

async function toTrip(db: Db, viewer: Viewer, row: TripRow): Promise<Trip> {
  const { id, startedAt, latitude, longitude, startName } = row;
  return { id, startedAt, start: { latitude, longitude, name: startName }, stops: await listStops(db, viewer, row) };
}

type StopRow = PlaceRow & { reason: StopReason; arrivedAt: string | null; done: boolean };

/** Those whose lead is as it was when it became a stop: not archived, with the same holder, and still for the viewer to see. */
async function listStops(db: Db, viewer: Viewer, { id, startedAt }: TripRow): Promise<TripStop[]> {
  const { rows } = await db.execute<StopRow>(sql`
    select ${PLACE_COLUMNS}, stop.reason, stop.arrived_at as "arrivedAt", exists (
      select from contact_activities a where a.user_business_id = lead.id and a.created_by = ${viewer.id}
        and a.type <> 'note' and a.completed_at >= ${startedAt}::timestamptz) as done
    from trip_stops stop join (${LEADS_AND_BUSINESSES}) on lead.id = stop.lead_id
    where stop.trip_id = ${id} and lead.user_id = stop.holder_id and not lead.archived
      and business.latitude is not null and business.longitude is not null
    order by stop.position`);
  const visible = rows.filter(({ holderId }) => canSeeLead(viewer, { userId: holderId }));
  const objections = await readObjections(db, visible);
  return visible.map((row, nth) => {
    const { holderId, archived, nextStepAt, ...place } = toPlace(row);
    const arrivedAt = row.arrivedAt && new Date(row.arrivedAt).toISOString();
    return { ...place, objections: objections[nth] ?? [], reason: row.reason, arrivedAt, done: row.done };
  });
}

/** The leads that are to become stops, by id. */
export async function readStopLeads(db: Db, ids: number[]): Promise<Map<number, StopLead & { hasPosition: boolean }>> {
  const { rows } = await db.execute<PlaceRow & { hasPosition: boolean }>(sql`
    select ${PLACE_COLUMNS}, business.latitude is not null and business.longitude is not null as "hasPosition"
    from ${LEADS_AND_BUSINESSES} where lead.id = any (${sql.param(ids)}::int[])`);
  return new Map(rows.map((row) => [row.id, { ...toPlace(row), hasPosition: row.hasPosition }]));
}

/** Creates the trip of a user, and ends the one before. */
export async function insertTrip(
  tx: Db,
  { userId, startedAt, start }: { userId: number; startedAt: string; start: TripStart },
): Promise<string> {
  const { latitude, longitude, name: startName } = start;
  // Locks the account: of two requests at once, the second replaces the trip of the first.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  await tx.delete(trips).where(eq(trips.userId, userId));
  const [row] = await tx
    .insert(trips)
    .values({ userId, startedAt, latitude, longitude, startName })
    .returning({ id: trips.id });
  if (!row) throw new Error('The trip was not created');
  return row.id;
}

export interface NewStop {
  leadId: number;
  holderId: number;
  reason: StopReason;
}

/** The leads that were stops and have changed hands since. */
export async function listLeftStops(tx: Db, tripId: string, shown: number[]): Promise<number[]> {
  const rows = await tx.select({ leadId: tripStops.leadId }).from(tripStops).where(eq(tripStops.tripId, tripId));
  return rows.map(({ leadId }) => leadId).filter((leadId) => !shown.includes(leadId));
}

export async function insertStops(tx: Db, tripId: string, stops: NewStop[]): Promise<void> {
  if (!stops.length) return;
  // Each insert locks its lead: in the order of the ids, as bulk changes do.
  const byLead = stops.toSorted((a, b) => a.leadId - b.leadId);
  await tx.insert(tripStops).values(byLead.map((stop) => ({ ...stop, tripId, position: 0 })));
}

export async function deleteStops(tx: Db, tripId: string, leadIds: number[]): Promise<void> {
  await tx.delete(tripStops).where(and(eq(tripStops.tripId, tripId), inArray(tripStops.leadId, leadIds)));
}

export const setOrder = (tx: Db, tripId: string, leadIds: number[]) =>
  tx.execute(sql`
    update trip_stops set position = place.nth
    from unnest(${sql.param(leadIds)}::int[]) with ordinality as place (lead_id, nth)
    where trip_id = ${tripId} and trip_stops.lead_id = place.lead_id`);

export const setArrival = (tx: Db, tripId: string, leadId: number, arrivedAt: string | null) =>
  tx
    .update(tripStops)
    .set({ arrivedAt })
    .where(and(eq(tripStops.tripId, tripId), eq(tripStops.leadId, leadId)));

export const deleteTrip = (tx: Db, tripId: string) => tx.delete(trips).where(eq(trips.id, tripId));
