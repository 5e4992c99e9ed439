import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { legMiles, orderVisits } from '#contract/leads/visit-order.ts';
import { listVisits, type VisitStop } from '#contract/leads/visits.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { read } from '#web/kit/api.ts';
import { type ListState, toFilterQuery } from '#web/leads/list/list-state.ts';
import { LOCATE, toStartQuery, useVisitState } from './visit-state.ts';

export interface Trip {
  start: ResponseBody<typeof listVisits>['start'];
  stops: VisitStop[];
  /** To each stop, and back to the start. */
  legs: number[];
  /** Near, but not on the trip. */
  leftOut: VisitStop[];
  /** Whether the user changed the order or left a stop out. */
  changed: boolean;
}

export type Visits = ReturnType<typeof useVisits>;

/** The trip to the open leads of the list, as the URL describes it. */
export function useVisits(list: ListState) {
  const viewer = useViewer();
  const [state, change] = useVisitState();
  const start = toStartQuery(state.visit);
  const query = useQuery({
    ...read(listVisits, { query: { ...toFilterQuery(list, viewer), ...start, count: state.stops } }),
    enabled: start !== undefined,
    placeholderData: keepPreviousData,
    // A trip does not change under the user who is on it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const data = start && query.data;
  const orderKey = state.order.join();
  const trip = useMemo(() => data && buildTrip(data.start, data.stops, orderKey), [data, orderKey]);

  const setOrder = (stops: VisitStop[]) => change({ order: stops.map(({ id }) => id) }, { replace: true });
  return {
    ...state,
    open: state.visit !== '',
    hasStart: start !== undefined,
    query,
    trip,
    /** A new trip is in the computed order. Back from a position that was found does not ask for it again. */
    change: (changed: { visit?: string; stops?: number }) =>
      change({ ...changed, order: [] }, { replace: state.visit === LOCATE }),
    setOrder,
    resetOrder: () => change({ order: [] }, { replace: true }),
  };
}

function buildTrip(start: Trip['start'], found: VisitStop[], orderKey: string): Trip {
  const byId = new Map(found.map((stop) => [stop.id, stop]));
  const chosen = orderKey ? orderKey.split(',').flatMap((id) => byId.get(Number(id)) ?? []) : [];
  const changed = chosen.length > 0;
  const stops = changed ? chosen : orderVisits(start, found);
  return {
    start,
    stops,
    legs: legMiles(start, stops),
    leftOut: found.filter((stop) => !stops.includes(stop)),
    changed,
  };
}
