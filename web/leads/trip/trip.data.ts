import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import * as calls from '#contract/leads/trip/trip.calls.ts';
import type { Trip, TripStart, TripStop } from '#contract/leads/trip/trip.ts';
import { read, send } from '#web/kit/api.ts';
import { type OptimisticUpdate, optimisticKey, usePendingUpdates } from '#web/kit/optimistic.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { toast } from '#web/kit/toasts.ts';
import { runOnUndo } from '#web/kit/undo.ts';

type TripData = ResponseBody<typeof calls.getTrip>;

const tripQuery = read(calls.getTrip);

/** The trip that the viewer is on. Read again on every visit: it may have been changed on another device. */
export const useTrip = () =>
  useQuery({
    ...tripQuery,
    ...refetchOnReturn,
    staleTime: 0,
    select: usePendingUpdates<TripData>(tripQuery.queryKey),
  });

const setTrip = (queries: QueryClient, trip: Trip | null) => queries.setQueryData(tripQuery.queryKey, { trip });

const refetchTrip = (queries: QueryClient) => queries.invalidateQueries({ queryKey: tripQuery.queryKey });

/** The first stop that is left. */
export const findCurrentStop = ({ stops }: Trip): TripStop | undefined => stops.find(({ done }) => !done);

export const countDone = ({ stops }: Trip) => stops.filter(({ done }) => done).length;

/** "2 of 5 stops done" */
export const formatProgress = (trip: Trip) =>
  `${countDone(trip)} of ${trip.stops.length} ${trip.stops.length === 1 ? 'stop' : 'stops'} done`;

export function useStartTrip() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { start: TripStart; stops: number[] }) => send(calls.startTrip, { body }),
    onSuccess: (trip) => setTrip(queries, trip),
    meta: { errorTitle: 'The trip could not be started' },
  });
}

interface StopsChange {
  tripId: string;
  stops: number[];
  /** For a change that the list itself does not show: the title of its toast, and what "Undo" on it restores. */
  title?: string;
  before?: number[];
}

/** Changes the stops and their order. What is shown changes at once; the requests follow one after the other. */
export const useChangeStops = () => useMutation(changeStopsMutation(useQueryClient()));

const changeStopsMutation = (queries: QueryClient) => ({
  mutationKey: optimisticKey(tripQuery.queryKey),
  scope: { id: 'trip' },
  mutationFn: ({ tripId, stops }: StopsChange) => send(calls.changeStops, { params: { tripId }, body: { stops } }),
  onMutate: ({ stops }: StopsChange): OptimisticUpdate<TripData> => {
    void queries.cancelQueries({ queryKey: tripQuery.queryKey });
    return ({ trip }) => ({ trip: trip && { ...trip, stops: arrange(trip.stops, stops) } });
  },
  onSuccess: (trip: Trip, { tripId, title, before }: StopsChange) => {
    setTrip(queries, trip);
    if (!title) return;
    toast({
      title,
      ...(before && { onUndo: runOnUndo(queries, changeStopsMutation(queries), { tripId, stops: before }) }),
    });
  },
  // The trip may have ended meanwhile, or a lead may have left it.
  onError: () => void refetchTrip(queries),
  meta: { errorTitle: 'The trip could not be changed' },
});

/** A stop that is not known yet is shown when the server has sent it. */
const arrange = (stops: TripStop[], ids: number[]) => ids.flatMap((id) => stops.find((stop) => stop.id === id) ?? []);

export function useCheckIn(tripId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, arrived }: { id: number; arrived: boolean }) =>
      sendOrKeep(
        calls.checkIn,
        { params: { tripId, id }, body: { arrived } },
        { kind: 'check-in', title: arrived ? 'Checked in' : 'Check-in taken back', lead: findStop(queries, id) },
      ),
    onSuccess: (trip, { id, arrived }) => {
      if (!isKept(trip)) return setTrip(queries, trip);
      changeStop(queries, id, { arrivedAt: arrived ? new Date().toISOString() : null });
    },
    onError: () => void refetchTrip(queries),
    meta: { errorTitle: 'You could not be checked in' },
  });
}

export function useEndTrip() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (trip: Trip) => send(calls.endTrip, { params: { tripId: trip.id } }),
    onSuccess: (_, trip) => {
      setTrip(queries, null);
      toast({ title: 'Trip ended', description: `${formatProgress(trip)}.` });
    },
    onError: () => void refetchTrip(queries),
    meta: { errorTitle: 'The trip could not be ended' },
  });
}

/** After a contact: goes on to the next stop without waiting for the trip to be read again. */
export const markStopDone = (queries: QueryClient, id: number) => changeStop(queries, id, { done: true });

const changeStop = (queries: QueryClient, id: number, changes: Partial<TripStop>) =>
  queries.setQueryData<TripData>(tripQuery.queryKey, (data) =>
    data?.trip
      ? {
          trip: {
            ...data.trip,
            stops: data.trip.stops.map((stop) => (stop.id === id ? { ...stop, ...changes } : stop)),
          },
        }
      : data,
  );

/** The lead that is this stop, for the outbox. */
const findStop = (queries: QueryClient, id: number) => {
  const stop = queries.getQueryData(tripQuery.queryKey)?.trip?.stops.find((other) => other.id === id);
  return stop ? { uuid: stop.uuid, name: stop.name } : null;
};
