import { Refusal } from '#contract/errors.ts';
import * as calls from '#contract/leads/trip/trip.calls.ts';
import type { Trip } from '#contract/leads/trip/trip.ts';
import { endOfDay } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { serve } from '#server/kit/http/serve.ts';
import { requireOwnConditions } from '#server/leads/list/own-fields.sql.ts';
import { withSimilar } from '#server/leads/list/similar-matches.sql.ts';
import { requireListAccess } from '#server/leads/require-lead.ts';
import { type Located, locateOffline } from '#server/places/locate-offline.ts';
import { arrangeStops } from './arrange-stops.ts';
import * as sql from './trip.sql.ts';
import { leadsForTrip, unplacedLeads } from './trip-plan.sql.ts';

export function tripRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, calls.planTrip, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    await requireOwnConditions(db, query);
    const start = await requireStart(query);
    const filter = await withSimilar(db, viewer, query);
    const time = { now: clock(), timeZone: env.timeZone };
    const { count, dueWithin } = query;
    const stops = await leadsForTrip(db, viewer, { filter, start, count, dueWithin, endOfDay: dayEnds() }, time);
    return { start, stops, unplaced: await unplacedLeads(db, viewer, filter, time) };
  });

  serve(app, guard, calls.getTrip, async ({ viewer }) => ({ trip: await sql.findTrip(db, viewer) }));

  serve(app, guard, calls.startTrip, ({ viewer, body }) =>
    db.transaction(async (tx) => {
      const { start, stops } = body();
      const trip = { userId: viewer.id, startedAt: clock().toISOString(), start };
      const tripId = await sql.insertTrip(tx, trip);
      return arrange(tx, viewer, { id: tripId, start, stops: [] }, stops);
    }),
  );

  serve(app, guard, calls.changeStops, ({ viewer, params, body }) =>
    db.transaction(async (tx) => arrange(tx, viewer, await requireTrip(tx, viewer, params.tripId), body().stops)),
  );

  serve(app, guard, calls.checkIn, ({ params, body, ...ctx }) =>
    db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const trip = await requireTrip(tx, ctx.viewer, params.tripId);
        const stop = trip.stops.find(({ id }) => id === params.id);
        if (!stop) throw new Refusal('not_found', 'This business is no stop of your trip any more');
        const { arrived } = body();
        const madeAt = readMadeAt(ctx.request, clock()).toISOString();
        await sql.setArrival(tx, trip.id, stop.id, arrived ? (stop.arrivedAt ?? madeAt) : null);
        return requireTrip(tx, ctx.viewer, trip.id);
      }),
    ),
  );

  serve(app, guard, calls.endTrip, ({ viewer, params, body }) =>
    db.transaction(async (tx) => {
      const trip = await requireTrip(tx, viewer, params.tripId);
      body();
      await sql.deleteTrip(tx, trip.id);
      return { trip: null };
    }),
  );

  async function arrange(tx: Db, viewer: Viewer, trip: Pick<Trip, 'id' | 'start' | 'stops'>, ids: number[]) {
    await arrangeStops(tx, trip, ids, { viewer, endOfDay: dayEnds() });
    return requireTrip(tx, viewer, trip.id);
  }

  const dayEnds = () => endOfDay(env.timeZone, clock());

  async function requireStart({ near, latitude, longitude }: calls.TripPlanQuery) {
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude, name: null, notice: null };
    const place = near && (await locateOffline(db, near));
    if (place) return toStart(place);
    throw new Refusal('invalid_request', `No place called "${near}" was found. Try a UK town or postcode.`);
  }
}

/** The trip that the viewer is on, locked. Another one, also of another user, is as if it did not exist. */
async function requireTrip(tx: Db, viewer: Viewer, tripId: string): Promise<Trip> {
  const trip = await sql.lockTrip(tx, viewer, tripId);
  if (!trip) throw new Refusal('not_found', 'This trip has ended');
  return trip;
}

function toStart({ districtOnly, ...place }: Located) {
  const notice =
    districtOnly &&
    `The postcode itself could not be looked up: the trip starts in the middle of its district, ${districtOnly}.`;
  return { ...place, notice };
}
