import {
  IDBCursor,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
  indexedDB,
} from 'fake-indexeddb';
import { vi } from 'vitest';
import { changeAll } from '#web/kit/device/device-database.ts';

/** Gives the test a browser that can keep something, which jsdom cannot. The next test has none again. */
export function useFakeDevice() {
  const classes = { IDBCursor, IDBDatabase, IDBIndex, IDBKeyRange, IDBObjectStore, IDBRequest, IDBTransaction };
  // These stay: test files share modules, and with them a connection, which asks for them later.
  Object.assign(globalThis, classes);
  vi.stubGlobal('indexedDB', indexedDB);
}

export async function clearFakeDevice() {
  const tx = await changeAll();
  await tx.objectStore('users').clear();
  await tx.objectStore('entries').clear();
  await tx.done;
}
