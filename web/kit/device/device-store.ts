import {
  changeAll,
  connect,
  type Entries,
  type EntryKey,
  isUnlocked,
  lockRow,
  rangeOf,
  type StoreName,
  type UserRow,
  type WriteAll,
} from './device-database.ts';

/**
 * What this device keeps for its user, encrypted, so that the product works without a network:
 *
 *     const device = await openDevice(viewer.id); // undefined where nothing can be kept, or nothing can be read any more
 *     await device?.put('outbox', 7, entry);      // throws StorageFullError: tell the user, nothing was stored
 *     await device?.all('outbox');                // in the order of the keys
 *
 * Values are what JSON can have. Any method throws DeviceLockedError once the user was logged out in another tab, or the
 * server was out of reach for seven days. Docs: docs/decisions/0052-device-store.md.
 */
export interface DeviceStore {
  get(store: StoreName, key: EntryKey): Promise<unknown>;
  put(store: StoreName, key: EntryKey, value: unknown): Promise<void>;
  /** All of them or none. */
  putAll(store: StoreName, entries: readonly Entry[]): Promise<void>;
  delete(store: StoreName, ...keys: EntryKey[]): Promise<void>;
  /** Numbers first, then texts, each in their order. */
  all(store: StoreName): Promise<Entry[]>;
  keys(store: StoreName): Promise<EntryKey[]>;
  clear(store: StoreName): Promise<void>;
}

export interface Entry {
  key: EntryKey;
  value: unknown;
}

/** The device has no room for it. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
  constructor() {
    super('This device has no space left. Free some, and try again.');
  }
}

/** The key is gone: the user has to sign in, with a connection. */
export class DeviceLockedError extends Error {
  override name = 'DeviceLockedError';
  constructor() {
    super('What this device keeps is locked. Sign in to go on.');
  }
}

const IV_BYTES = 12;

/** Undefined where the browser keeps nothing, or the user has to sign in first. */
export async function openDevice(userId: number): Promise<DeviceStore | undefined> {
  const row = await (await connect()).get('users', userId);
  if (isUnlocked(row)) {
    // On a full device reading still works.
    await markSeen(row).catch(() => {});
    return createStore(userId, row.keyId);
  }
  if (row?.key) await lockUser(userId);
  return undefined;
}

async function markSeen({ userId, keyId }: UserRow) {
  const tx = await changeAll();
  const users = tx.objectStore('users');
  const row = await users.get(userId);
  // Another tab may have locked it since.
  const isSame = row?.keyId === keyId && row.key !== null;
  const put = isSame && users.put({ ...row, seenAt: Math.max(row.seenAt, Date.now()) });
  await Promise.all([put, tx.done]);
}

async function lockUser(userId: number) {
  const tx = await changeAll();
  const row = await tx.objectStore('users').get(userId);
  if (row && !isUnlocked(row)) await lockRow(tx, row);
  await tx.done;
}

function createStore(userId: number, keyId: string): DeviceStore {
  /** Read each time: another tab may have locked it. */
  const requireKey = (row: UserRow | undefined) => {
    if (row?.keyId !== keyId || !isUnlocked(row)) throw new DeviceLockedError();
    return row.key;
  };
  const readKey = async () => requireKey(await (await connect()).get('users', userId));

  const change = async (act: (entries: Entries) => Promise<unknown>) => {
    const tx = await changeAll();
    try {
      requireKey(await tx.objectStore('users').get(userId));
      await act(tx.objectStore('entries'));
      await tx.done;
    } catch (error) {
      await abort(tx);
      throw toStorageError(error);
    }
  };

  const store: DeviceStore = {
    get: async (name, key) => {
      const [secret, entry] = [await readKey(), await (await connect()).get('entries', [userId, name, key])];
      return entry && decrypt(secret, entry, [userId, name, key]);
    },
    put: (name, key, value) => store.putAll(name, [{ key, value }]),
    putAll: async (name, entries) => {
      const secret = await readKey();
      const encrypted = await Promise.all(
        entries.map(async ({ key, value }) => ({ key, entry: await encrypt(secret, value, [userId, name, key]) })),
      );
      await change((stored) =>
        Promise.all(encrypted.map(async ({ key, entry }) => stored.put(entry, [userId, name, key]))),
      );
    },
    delete: (name, ...keys) => change((stored) => Promise.all(keys.map((key) => stored.delete([userId, name, key])))),
    all: async (name) => {
      const [secret, database] = [await readKey(), await connect()];
      const tx = database.transaction('entries');
      const range = rangeOf(userId, name);
      const [names, entries] = await Promise.all([tx.store.getAllKeys(range), tx.store.getAll(range)]);
      return Promise.all(
        entries.map(async (entry, index) => {
          const [, , key = ''] = names[index] ?? [];
          return { key, value: await decrypt(secret, entry, [userId, name, key]) };
        }),
      );
    },
    keys: async (name) => {
      await readKey();
      const names = await (await connect()).getAllKeys('entries', rangeOf(userId, name));
      return names.map(([, , key]) => key);
    },
    clear: (name) => change((stored) => stored.delete(rangeOf(userId, name))),
  };
  return store;
}

async function abort(tx: WriteAll) {
  try {
    tx.abort();
  } catch {
    // The browser has aborted it already.
  }
  await tx.done.catch(() => {});
}

/** The browser's own errors have a name, and no class in all of them. */
export const toStorageError = (error: unknown) =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'QuotaExceededError'
    ? new StorageFullError()
    : error;

type EntryName = [number, StoreName, EntryKey];

/** The name is part of what is authenticated: an entry that was moved to another name is not read there. */
const toParameters = (iv: Uint8Array<ArrayBuffer>, name: EntryName) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(JSON.stringify(name)),
});

async function encrypt(key: CryptoKey, value: unknown, name: EntryName) {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plaintext = new TextEncoder().encode(JSON.stringify(value));
  return { iv, data: await crypto.subtle.encrypt(toParameters(iv, name), key, plaintext) };
}

async function decrypt(key: CryptoKey, entry: { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }, name: EntryName) {
  const plaintext = await crypto.subtle.decrypt(toParameters(entry.iv, name), key, entry.data);
  return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
}
