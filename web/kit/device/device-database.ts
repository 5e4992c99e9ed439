import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB } from 'idb';
import { DEVICE_DAYS } from '#contract/auth/device-key.calls.ts';

/** `reading` has copies of what the server has; `outbox` has what the server does not have yet. */
export type StoreName = 'reading' | 'outbox';
export type EntryKey = string | number;

/** Of each user who has kept something on this device. At most one is unlocked: has a key. */
export interface UserRow {
  userId: number;
  /** By which the server knows the key. */
  keyId: string;
  /** Not extractable. Null once locked: only the server can give it back. */
  key: CryptoKey | null;
  /** The last contact with the server, and the latest time that this device has seen. */
  contactAt: number;
  seenAt: number;
}

interface Schema extends DBSchema {
  users: { key: number; value: UserRow };
  entries: { key: [number, StoreName, EntryKey]; value: { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer } };
}

export type DeviceDatabase = IDBPDatabase<Schema>;

const NAME = 'highstreet';
const VERSION = 1;
const VALID_MS = DEVICE_DAYS * 24 * 3_600_000;
/** A clock may be corrected; one that was turned back to read on is not. */
const CLOCK_TOLERANCE_MS = 3_600_000;

let connection: Promise<DeviceDatabase> | undefined;

/** One connection for the page, opened again after the browser has closed it. */
export function connect(): Promise<DeviceDatabase> {
  const close = () => {
    void connection?.then((database) => database.close());
    connection = undefined;
  };
  connection ??= openDB<Schema>(NAME, VERSION, {
    upgrade: (database) => {
      database.createObjectStore('users', { keyPath: 'userId' });
      database.createObjectStore('entries');
    },
    // A newer version of the product waits for it in another tab.
    blocking: close,
    terminated: () => {
      connection = undefined;
    },
  });
  connection.catch(() => {
    connection = undefined;
  });
  return connection;
}

type Stores = ['users', 'entries'];
export type WriteAll = IDBPTransaction<Schema, Stores, 'readwrite'>;
export type Entries = IDBPObjectStore<Schema, Stores, 'entries', 'readwrite'>;

export const changeAll = async (): Promise<WriteAll> =>
  (await connect()).transaction(['users', 'entries'], 'readwrite');

/** All entries of a user, or those of one store: an array sorts after every text and number. */
export const rangeOf = (userId: number, store?: StoreName) =>
  store ? IDBKeyRange.bound([userId, store], [userId, store, []]) : IDBKeyRange.bound([userId], [userId, []]);

export const isUnlocked = (row: UserRow | undefined, now = Date.now()): row is UserRow & { key: CryptoKey } =>
  Boolean(row?.key) && row !== undefined && now < row.contactAt + VALID_MS && now > row.seenAt - CLOCK_TOLERANCE_MS;

/** Without its key nothing can be read. The copies go; what the server does not have stays until its user signs in again. */
export async function lockRow(tx: WriteAll, row: UserRow): Promise<void> {
  await tx.objectStore('users').put({ ...row, key: null });
  await tx.objectStore('entries').delete(rangeOf(row.userId, 'reading'));
}

export async function deleteRow(tx: WriteAll, userId: number): Promise<void> {
  await tx.objectStore('users').delete(userId);
  await tx.objectStore('entries').delete(rangeOf(userId));
}
