import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { planTrip } from '#contract/leads/trip/trip.calls.ts';
import type { PlannedStop } from '#contract/leads/trip/trip.ts';
import { legMiles, orderStops } from '#contract/leads/trip/trip-order.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { read } from '#web/kit/api.ts';
import { type ListState, toFilterQuery } from '#web/leads/list/list-state.ts';
import { LOCATE, type TripState, toStartQuery, useTripState } from './trip-state.ts';

export interface PlannedTrip {
  start: ResponseBody<typeof planTrip>['start'];
  stops: PlannedStop[];
  /** To each stop, and back to the start. */
  legs: number[];
  /** Proposed, but not on the trip. */
  leftOut: PlannedStop[];
  /** Whether the user changed the order or dropped a stop. */
  changed: boolean;
}

export type TripPlan = ReturnType<typeof useTripPlan>;

/** The plan of a trip through the open leads of the list, as the URL describes it. */
export function useTripPlan(list: ListState) {
  const viewer = useViewer();
  const [state, change] = useTripState();
  const start = toStartQuery(state.trip);
  const { stops: count, due: dueWithin } = state;
  const query = useQuery({
    ...read(planTrip, { query: { ...toFilterQuery(list, viewer), ...start, count, dueWithin } }),
    enabled: start !== undefined,
    placeholderData: keepPreviousData,
    // A plan does not change under the user who makes it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const data = start && query.data;
  const orderKey = state.order.join();
  const planned = useMemo(() => data && buildPlan(data.start, data.stops, orderKey), [data, orderKey]);

  const setOrder = (stops: PlannedStop[]) => change({ order: stops.map(({ id }) => id) }, { replace: true });
  return {
    ...state,
    open: state.trip !== '',
    hasStart: start !== undefined,
    query,
    planned,
    /** A new plan is in the computed order. Back from a position that was found does not ask for it again. */
    change: (changed: Partial<Omit<TripState, 'order'>>, { replace = state.trip === LOCATE } = {}) =>
      change({ ...changed, order: [] }, { replace }),
    setOrder,
    resetOrder: () => change({ order: [] }, { replace: true }),
  };
}

function buildPlan(start: PlannedTrip['start'], found: PlannedStop[], orderKey: string): PlannedTrip {
  const byId = new Map(found.map((stop) => [stop.id, stop]));
  const chosen = orderKey ? orderKey.split(',').flatMap((id) => byId.get(Number(id)) ?? []) : [];
  const changed = chosen.length > 0;
  const stops = changed ? chosen : orderStops(start, found);
  return {
    start,
    stops,
    legs: legMiles(start, stops),
    leftOut: found.filter((stop) => !stops.includes(stop)),
    changed,
  };
}
