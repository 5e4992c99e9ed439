import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ResponseBody } from '#contract/call.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getPocket, getPocketLeads } from '#contract/leads/pocket/pocket.calls.ts';
import { getToday, todaySection } from '#contract/leads/today/today.calls.ts';
import { getTrip } from '#contract/leads/trip/trip.calls.ts';
import { unlockDevice } from '#web/kit/device/device.ts';
import { openDevice, StorageFullError } from '#web/kit/device/device-store.ts';
import { createQueries } from '#web/kit/queries.ts';
import { clearFakeDevice, useFakeDevice } from '#web/testing/fake-device.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aProfile } from '#web/testing/lead-profile.tsx';
import { findKept } from './find-kept.ts';
import { refreshPocket } from './pocket.ts';

const KEY = { id: '00000000-0000-4000-8000-000000000001', key: btoa('a key of thirty-two bytes or so!') };
const [ANN, BEN] = [1, 2];
const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

beforeEach(async () => {
  useFakeDevice();
  await unlockDevice(ANN, KEY);
});
afterEach(clearFakeDevice);

const queries = createQueries({ toast: () => {}, onSignedOut: () => {}, onSessionChanged: () => {} });

/** A server on which the viewer has these leads, in these versions. */
function serverWith(versions: Record<number, string>) {
  const server = fakeServer();
  const day = { count: 0, leads: [] };
  server.responds(getToday, Object.fromEntries(todaySection.options.map((name) => [name, day])) as never);
  server.responds(getTrip, { trip: null });
  change(versions, '"1"');
  server.handles(getPocketLeads, ({ path }) => {
    const ids = decodeURIComponent(path.split('ids=')[1] ?? '').split(',');
    return Response.json({ leads: ids.map((id) => toLead(Number(id))) });
  });
  return { ...server, change };

  function change(now: Record<number, string>, etag: string) {
    const leads = Object.entries(now).map(([id, version]) => ({ id: Number(id), uuid: uuidOf(Number(id)), version }));
    server.handles(getPocket, ({ headers }) =>
      headers.get('if-none-match') === etag
        ? new Response(null, { status: 304 })
        : Response.json({ leads }, { headers: { etag } }),
    );
  }
}

function toLead(id: number): ResponseBody<typeof getPocketLeads>['leads'][number] {
  const profile = aProfile();
  return { profile: { ...profile, userBusiness: { ...profile.userBusiness, id, uuid: uuidOf(id) } }, followUp: null };
}

const find = (leadRef: { id: number } | { uuid: string }) =>
  findKept(['id' in leadRef ? getLead.byId.path : getLead.byUuid.path, leadRef], ANN);

test('leads are read once, in parts of 50, and found by id and by uuid', async () => {
  const ids = Array.from({ length: 120 }, (_, nth) => nth + 1);
  const server = serverWith(Object.fromEntries(ids.map((id) => [id, 'a'])));
  await refreshPocket(queries, ANN);
  expect(server.times(getPocketLeads)).toBe(3);
  expect(await find({ id: 120 })).toMatchObject({ data: { userBusiness: { id: 120 } } });
  expect(await find({ uuid: uuidOf(7) })).toMatchObject({ data: { userBusiness: { id: 7 } } });
  expect(await find({ id: 121 })).toBeNull();

  await refreshPocket(queries, ANN);
  expect(server.times(getPocket)).toBe(2);
  expect(server.times(getPocketLeads)).toBe(3);
});

test('while nothing changes, what is kept becomes no older', async () => {
  serverWith({ 1: 'a' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-19T10:00:00Z') });
  await unlockDevice(ANN, KEY);
  await refreshPocket(queries, ANN);
  vi.setSystemTime(Date.parse('2026-11-19T11:00:00Z'));
  await refreshPocket(queries, ANN);
  expect((await find({ id: 1 }))?.at).toBe(Date.parse('2026-11-19T11:00:00Z'));
});

test('only what has changed is read again, and a lead that is not the viewer’s any more goes', async () => {
  const server = serverWith({ 1: 'a', 2: 'a', 3: 'a' });
  await refreshPocket(queries, ANN);
  server.change({ 1: 'a', 2: 'b' }, '"2"');
  await refreshPocket(queries, ANN);
  expect(server.last(getPocketLeads)?.path).toMatch(/ids=2$/);
  expect(await find({ id: 1 })).toBeTruthy();
  expect(await find({ id: 3 })).toBeNull();
  expect(await (await openDevice(ANN))?.keys('reading')).toEqual([1, 2, 'leads']);
});

test('a refresh that breaks off is repeated, and what is lost is gone already', async () => {
  const server = serverWith({ 1: 'a', 2: 'a' });
  await refreshPocket(queries, ANN);
  server.change({ 1: 'b' }, '"2"');
  server.vanishes(getPocketLeads);
  await expect(refreshPocket(queries, ANN)).rejects.toThrow();
  expect(await find({ id: 2 })).toBeNull();
  expect(await find({ id: 1 })).toBeTruthy();

  server.responds(getPocketLeads, { leads: [toLead(1)] });
  await refreshPocket(queries, ANN);
  expect(server.last(getPocketLeads)?.path).toMatch(/ids=1$/);
});

test('another viewer is told nothing of it, and a locked device keeps nothing', async () => {
  const server = serverWith({ 1: 'a' });
  await refreshPocket(queries, ANN);
  expect(await findKept([getLead.byId.path, { id: 1 }], BEN)).toBeUndefined();
  await unlockDevice(BEN, KEY);
  expect(await find({ id: 1 })).toBeUndefined();
  const before = server.times(getPocket);
  await refreshPocket(queries, ANN);
  expect(server.times(getPocket)).toBe(before);
});

test('a full device is reported, and can still be read', async () => {
  const server = serverWith({ 1: 'a' });
  await refreshPocket(queries, ANN);
  server.change({ 1: 'b' }, '"2"');
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await expect(refreshPocket(queries, ANN)).rejects.toThrow(StorageFullError);
  expect(await find({ id: 1 })).toBeTruthy();
});
