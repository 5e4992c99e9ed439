import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { getUser } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getToday, getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { getTrip } from '#contract/leads/trip/trip.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import type { KeptResponse } from '#web/kit/device/device-fallback.ts';
import { type DeviceStore, openDevice } from '#web/kit/device/device-store.ts';

/** Reads of the viewer that have no input: who they are, their day, their trip, and what every screen needs. */
const KEPT = [getUser, getSettings, getTeamSettings, listOwnFields, getToday, getTodayCounts, getTrip].map(
  ({ path }) => path,
);

/** The name of a kept read in the store. Undefined for one that is not kept. */
const toName = ([path]: QueryKey) => (typeof path === 'string' && KEPT.includes(path) ? path : undefined);

export const findKeptRead = (device: DeviceStore, queryKey: QueryKey) => {
  const name = toName(queryKey);
  return name ? (device.get('reading', name) as Promise<KeptResponse | undefined>) : undefined;
};

/** Stores the newest response of each kept read. `onError` is told when the device is full. Returns a cleanup function. */
export function keepReads(queries: QueryClient, viewerId: number, onError: (error: unknown) => void): () => void {
  const keep = async ({ queryKey, state: { data, dataUpdatedAt } }: Query) => {
    const name = toName(queryKey);
    if (!name || data === undefined || isSignedOut(data)) return;
    const kept: KeptResponse = { data, at: dataUpdatedAt };
    await (await openDevice(viewerId))?.put('reading', name, kept);
  };
  const cache = queries.getQueryCache();
  // What was read before the device was unlocked. What came from the device has failed since.
  for (const query of cache.getAll()) if (query.state.error === null) void keep(query).catch(onError);
  return cache.subscribe((event) => {
    const isAnswer = event.type === 'updated' && event.action.type === 'success' && !event.action.manual;
    if (isAnswer) void keep(event.query).catch(onError);
  });
}

const isSignedOut = (data: unknown) => typeof data === 'object' && data !== null && 'reason' in data;
