import { useSyncExternalStore } from 'react';
import { type EntryStore, type OutboxEntry, outboxEntry } from '#contract/outbox/entry.ts';
import { newIdempotencyKey } from '#web/kit/api.ts';
import type { DeviceStore } from '#web/kit/device/device-store.ts';

/** The changes that the viewer made without a connection. They are on this device, encrypted, until the server has them. */

const CHANNEL = 'highstreet.outbox';

let viewerId: number | undefined;
let store: EntryStore | undefined;
let entries: readonly OutboxEntry[] = [];
const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Opens the outbox of a user; again when the device was unlocked meanwhile. */
export async function openOutbox(userId: number, open: (userId: number) => Promise<DeviceStore | undefined>) {
  viewerId = userId;
  const device = await open(userId).catch(() => undefined);
  if (viewerId !== userId) return;
  store = device && toEntryStore(device);
  listenToTabs();
  await reload();
}

export function closeOutbox() {
  viewerId = undefined;
  store = undefined;
  channel?.close();
  channel = undefined;
  show([]);
}

export const entryStore = () => store;
export const listEntries = () => entries;
export const useOutboxEntries = () => useSyncExternalStore(subscribe, listEntries);

const byId = (a: OutboxEntry, b: OutboxEntry) => (a.id < b.id ? -1 : 1);

function toEntryStore(device: DeviceStore): EntryStore {
  const read = (value: unknown) => outboxEntry.safeParse(value).data;
  return {
    list: async () => (await device.all('outbox')).flatMap(({ value }) => read(value) ?? []).sort(byId),
    get: async (id) => read(await device.get('outbox', id)),
    put: async (entry) => {
      await device.put('outbox', entry.id, entry);
      show([...entries.filter(({ id }) => id !== entry.id), entry].sort(byId));
      channel?.postMessage(viewerId);
    },
    delete: async (id) => {
      await device.delete('outbox', id);
      show(entries.filter((entry) => entry.id !== id));
      channel?.postMessage(viewerId);
    },
  };
}

type NewEntry = Omit<OutboxEntry, 'id' | 'state'>;

/** Where it cannot be stored, it throws, and the form keeps what was typed. */
export async function addEntry(entry: NewEntry): Promise<OutboxEntry> {
  if (!store) throw new Error('This browser keeps nothing without a connection');
  // The browser must not delete it where space is short. It may ask its user, so nothing waits for that.
  void navigator.storage?.persist?.().catch(() => {});
  const added: OutboxEntry = { ...entry, id: nextId(), state: 'waiting' };
  await store.put(added);
  return added;
}

let lastMs = 0;

/** Later ones sort after earlier ones, also those of other tabs and within a millisecond. */
function nextId(): string {
  const newest = Number(entries.at(-1)?.id.split('-')[0] ?? 0);
  lastMs = Math.max(Date.now(), lastMs + 1, newest + 1);
  return `${String(lastMs).padStart(15, '0')}-${newIdempotencyKey().slice(0, 8)}`;
}

/** One page at a time, so that an entry is not changed while it is sent. */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(`${CHANNEL}.${viewerId}`, work) : work();
}

export const discardEntry = (id: string) => withLock(async () => store?.delete(id));

/** Changes an entry that is still there, and lets it be sent. */
export const changeEntry = (id: string, change: (entry: OutboxEntry) => OutboxEntry) =>
  withLock(async () => {
    const entry = await store?.get(id);
    if (!entry) return;
    const { problem: _, current: __, failures: ___, ...changed } = change(entry);
    await store?.put({ ...changed, state: 'waiting' });
  });

/** What other tabs have changed. */
async function reload() {
  const opened = store;
  const listed = await opened?.list().catch(() => []);
  if (opened === store) show(listed ?? []);
}

function listenToTabs() {
  if (channel || typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === viewerId) void reload();
  };
}

function show(next: readonly OutboxEntry[]) {
  if (next.length === 0 && entries.length === 0) return;
  entries = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
