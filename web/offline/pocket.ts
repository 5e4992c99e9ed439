import type { QueryClient } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import { getPocket, getPocketLeads, POCKET_CHUNK, type PocketLead } from '#contract/leads/pocket/pocket.calls.ts';
import { getToday } from '#contract/leads/today/today.calls.ts';
import { getTrip } from '#contract/leads/trip/trip.calls.ts';
import { ApiError, findHeader, read, send } from '#web/kit/api.ts';
import { type DeviceStore, openDevice } from '#web/kit/device/device-store.ts';

/** Which leads the device keeps, each under its id. */
interface PocketIndex {
  etag: string | undefined;
  /** When the server last said that these are the leads and their versions. */
  at: number;
  leads: ResponseBody<typeof getPocket>['leads'];
}

const INDEX = 'leads';

const readIndex = async (device: DeviceStore) => (await device.get('reading', INDEX)) as PocketIndex | undefined;

/** Brings what the device keeps up to date: only leads that have changed are read, and those that are not the viewer's go. */
export async function refreshPocket(queries: QueryClient, viewerId: number): Promise<void> {
  const device = await openDevice(viewerId);
  if (!device) return;
  const before = await readIndex(device);
  const at = Date.now();
  const pocket = await readPocket(before?.etag);
  if (!pocket && before) return device.put('reading', INDEX, { ...before, at });
  if (!pocket) return;

  const known = new Map(before?.leads.map(({ id, version }) => [id, version]));
  const now = new Set(pocket.leads.map(({ id }) => id));
  await device.delete('reading', ...[...known.keys()].filter((id) => !now.has(id)));
  const changed = pocket.leads.filter(({ id, version }) => known.get(id) !== version).map(({ id }) => id);
  for (let from = 0; from < changed.length; from += POCKET_CHUNK) {
    const ids = changed.slice(from, from + POCKET_CHUNK).join();
    const { leads } = await send(getPocketLeads, { query: { ids } });
    await device.putAll(
      'reading',
      leads.map((lead) => ({ key: lead.profile.userBusiness.id, value: lead })),
    );
  }
  const index: PocketIndex = { etag: findHeader(pocket, 'etag'), at, leads: pocket.leads };
  await device.put('reading', INDEX, index);
  // Kept as every answer to them is.
  await Promise.all([queries.prefetchQuery(read(getToday)), queries.prefetchQuery(read(getTrip))]);
}

/** Undefined while nothing has changed. */
const readPocket = (etag: string | undefined) =>
  send(getPocket, {}, { etag }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 304) return undefined;
    throw error;
  });

/** A lead, as it was when the device was brought up to date. Undefined where it is not kept. */
export async function findPocketLead(
  device: DeviceStore,
  leadRef: { id?: unknown; uuid?: unknown },
): Promise<(PocketLead & { at: number }) | undefined> {
  const index = await readIndex(device);
  const found = index?.leads.find(({ id, uuid }) => id === leadRef.id || uuid === leadRef.uuid);
  const lead = found && ((await device.get('reading', found.id)) as PocketLead | undefined);
  return lead && index && { ...lead, at: index.at };
}
