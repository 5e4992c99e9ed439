import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearFakeDevice, useFakeDevice } from '#web/testing/fake-device.ts';
import { canKeep, findUnlockedUser, lockDevice, unlockDevice, wipeDevice } from './device.ts';
import { connect } from './device-database.ts';
import { DeviceLockedError, openDevice, StorageFullError } from './device-store.ts';

const KEY = { id: '00000000-0000-4000-8000-000000000001', key: btoa('a key of thirty-two bytes or so!') };
const OTHER_KEY = { id: '00000000-0000-4000-8000-000000000002', key: btoa('another key of thirty-two bytes!') };
const [ANN, BEN] = [1, 2];
const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-19T10:00:00Z');

beforeEach(() => {
  useFakeDevice();
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(clearFakeDevice);

/** The device of a user who has just signed in. */
async function open(userId: number, key = KEY) {
  await unlockDevice(userId, key);
  const device = await openDevice(userId);
  if (!device) throw new Error('The device is locked');
  return device;
}

const countEntries = async () => (await connect()).count('entries');

test('what is put can be read, also by a page that starts without a network', async () => {
  const device = await open(ANN);
  await device.put('reading', '/api/today', { name: 'Zoë’s "Café" 😀', list: [1, null, true] });
  expect(await (await openDevice(ANN))?.get('reading', '/api/today')).toEqual({
    name: 'Zoë’s "Café" 😀',
    list: [1, null, true],
  });
  expect(await device.get('reading', 'other')).toBeUndefined();
  expect(await findUnlockedUser()).toBe(ANN);
});

test('each store lists its own entries, in the order of their keys', async () => {
  const device = await open(ANN);
  await device.putAll(
    'outbox',
    [10, 9, 'b', 'a', 2].map((key) => ({ key, value: { key } })),
  );
  await device.put('reading', 3, 'a copy');
  expect((await device.all('outbox')).map(({ key }) => key)).toEqual([2, 9, 10, 'a', 'b']);
  expect((await device.all('outbox')).every(({ key, value }) => (value as { key: unknown }).key === key)).toBe(true);
  expect(await device.keys('outbox')).toEqual([2, 9, 10, 'a', 'b']);

  await device.delete('outbox', 9, 'a');
  expect(await device.keys('outbox')).toEqual([2, 10, 'b']);
  await device.clear('outbox');
  expect(await device.all('outbox')).toEqual([]);
  expect(await device.keys('reading')).toEqual([3]);
});

test('the browser stores no plain text and no key that can be read', async () => {
  const device = await open(ANN);
  await device.put('reading', 1, { name: 'Blue Door Bakery' });
  const database = await connect();
  const [entry] = await database.getAll('entries');
  expect(new TextDecoder('latin1').decode(entry?.data)).not.toContain('Bakery');
  const row = await database.get('users', ANN);
  await expect(crypto.subtle.exportKey('raw', row?.key as CryptoKey)).rejects.toThrow();
  expect(JSON.stringify(row)).not.toContain(KEY.key);
});

test('an entry is not read under the name of another one', async () => {
  const device = await open(ANN);
  await device.put('reading', 1, 'of lead 1');
  const database = await connect();
  const entry = await database.get('entries', [ANN, 'reading', 1]);
  if (entry) await database.put('entries', entry, [ANN, 'reading', 2]);
  await expect(device.get('reading', 2)).rejects.toThrow();
});

test('a log-out leaves nothing, in pages that are still open either', async () => {
  const device = await open(ANN);
  await device.put('outbox', 1, 'typed');
  await wipeDevice(ANN);
  expect(await countEntries()).toBe(0);
  expect(await openDevice(ANN)).toBeUndefined();
  await expect(device.get('outbox', 1)).rejects.toThrow(DeviceLockedError);
  await expect(device.put('outbox', 2, 'late')).rejects.toThrow(DeviceLockedError);
  expect(await countEntries()).toBe(0);
});

test('a session that ends locks everything; its user gets back what the server does not have', async () => {
  const device = await open(ANN);
  await device.put('reading', 1, 'a copy');
  await device.put('outbox', 1, 'typed');
  await lockDevice();
  expect(await openDevice(ANN)).toBeUndefined();
  expect(await findUnlockedUser()).toBeUndefined();
  await expect(device.all('outbox')).rejects.toThrow(DeviceLockedError);

  const later = await open(ANN);
  expect(await later.get('outbox', 1)).toBe('typed');
  expect(await later.get('reading', 1)).toBeUndefined();
});

test('a key that was dropped takes with it what it has encrypted', async () => {
  const device = await open(ANN);
  await device.put('outbox', 1, 'typed');
  const later = await open(ANN, OTHER_KEY);
  expect(await later.all('outbox')).toEqual([]);
  await expect(device.put('outbox', 2, 'late')).rejects.toThrow(DeviceLockedError);
});

test('another user sees nothing of the first, and the first finds what was not sent', async () => {
  const device = await open(ANN);
  await device.put('reading', 1, 'of Ann');
  await device.put('outbox', 1, 'typed by Ann');
  const others = await open(BEN, OTHER_KEY);
  expect(await others.all('reading')).toEqual([]);
  expect(await others.all('outbox')).toEqual([]);
  expect(await openDevice(ANN)).toBeUndefined();
  await expect(device.all('outbox')).rejects.toThrow(DeviceLockedError);
  expect(await (await connect()).getAllKeys('entries')).toEqual([[ANN, 'outbox', 1]]);

  await wipeDevice(BEN);
  expect(await (await open(ANN)).get('outbox', 1)).toBe('typed by Ann');
});

test('signing in again locks all others', async () => {
  await open(ANN);
  await lockDevice({ except: BEN });
  expect(await openDevice(ANN)).toBeUndefined();
  await open(BEN, OTHER_KEY);
  await lockDevice({ except: BEN });
  expect(await openDevice(BEN)).toBeDefined();
});

test('after seven days without contact nothing can be read, in an open page either', async () => {
  const device = await open(ANN);
  await device.put('reading', 1, 'a copy');
  await device.put('outbox', 1, 'typed');
  vi.setSystemTime(NOW + 7 * DAY_MS - 1);
  expect(await device.get('reading', 1)).toBe('a copy');
  vi.setSystemTime(NOW + 7 * DAY_MS);
  await expect(device.get('reading', 1)).rejects.toThrow(DeviceLockedError);
  expect(await openDevice(ANN)).toBeUndefined();
  expect((await (await connect()).get('users', ANN))?.key).toBeNull();
  expect(await (await connect()).getAllKeys('entries')).toEqual([[ANN, 'outbox', 1]]);

  expect(await (await open(ANN)).get('outbox', 1)).toBe('typed');
});

test('a start without a network after seven days deletes the copies', async () => {
  await (await open(ANN)).put('reading', 1, 'a copy');
  vi.setSystemTime(NOW + 7 * DAY_MS);
  expect(await findUnlockedUser()).toBeUndefined();
  expect(await countEntries()).toBe(0);
  expect((await (await connect()).get('users', ANN))?.key).toBeNull();
});

test('a clock that was turned back does not lengthen the time', async () => {
  await open(ANN);
  vi.setSystemTime(NOW + 6 * DAY_MS);
  expect(await openDevice(ANN)).toBeDefined();
  vi.setSystemTime(NOW + DAY_MS);
  expect(await openDevice(ANN)).toBeUndefined();
});

test('what nobody came back for is deleted after thirty days', async () => {
  await (await open(ANN)).put('outbox', 1, 'typed');
  vi.setSystemTime(NOW + 31 * DAY_MS);
  await open(BEN, OTHER_KEY);
  expect(await countEntries()).toBe(0);
});

test('a full device is reported, and nothing is stored in part', async () => {
  const device = await open(ANN);
  await device.put('outbox', 1, 'typed');
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (Array.isArray(key) && key[2] === 3) throw new DOMException('full', 'QuotaExceededError');
    return put.call(this, value, key as IDBValidKey);
  });
  const entries = [2, 3].map((key) => ({ key, value: 'more' }));
  await expect(device.putAll('outbox', entries)).rejects.toThrow(StorageFullError);
  expect(await device.keys('outbox')).toEqual([1]);
});

test('where the browser has no encryption, nothing is kept', async () => {
  await open(ANN);
  vi.stubGlobal('crypto', {});
  expect(canKeep()).toBe(false);
  expect(await findUnlockedUser()).toBeUndefined();
  await lockDevice();
});
