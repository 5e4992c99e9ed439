import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logout } from '#contract/auth/auth.calls.ts';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { refetch } from '#web/kit/api.ts';
import { findUnlockedUser, onDeviceUnlocked } from '#web/kit/device/device.ts';
import { openDevice } from '#web/kit/device/device-store.ts';
import { openApp, serverFor } from '#web/testing/app.tsx';
import { clearFakeDevice, useFakeDevice } from '#web/testing/fake-device.ts';
import { ada } from '#web/testing/fixtures.ts';

const KEY = { id: '00000000-0000-4000-8000-000000000001', key: btoa('a key of thirty-two bytes or so!') };
const HOUR_MS = 3_600_000;

beforeEach(useFakeDevice);
afterEach(clearFakeDevice);

/** A signed-in user whose device is unlocked. */
async function openUnlocked() {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  server.responds(getDeviceKey, KEY);
  const app = openApp('/users');
  const device = await waitFor(async () => {
    const opened = await openDevice(ada.id);
    expect(opened).toBeDefined();
    return opened;
  });
  await screen.findByRole('heading', { level: 1, name: 'User Management' });
  return { server, app, device };
}

test('a device is unlocked at the start, and later with the same key, once an hour', async () => {
  const unlocked = vi.fn();
  const stop = onDeviceUnlocked(unlocked);
  const { server } = await openUnlocked();
  expect(server.last(getDeviceKey)?.body).toEqual({});
  expect(await findUnlockedUser()).toBe(ada.id);
  await waitFor(() => expect(unlocked).toHaveBeenCalledTimes(1));

  window.dispatchEvent(new Event('focus'));
  expect(server.times(getDeviceKey)).toBe(1);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS);
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => expect(unlocked).toHaveBeenCalledTimes(2));
  expect(server.last(getDeviceKey)?.body).toEqual({ id: KEY.id });
  stop();
});

test('without a connection, what is kept can still be read, and the key is asked for when it is back', async () => {
  const { server, app } = await openUnlocked();
  app.unmount();
  server.vanishes(getDeviceKey);
  openApp('/users');
  await waitFor(() => expect(server.times(getDeviceKey)).toBe(2));
  expect(await openDevice(ada.id)).toBeDefined();

  server.responds(getDeviceKey, KEY);
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(server.times(getDeviceKey)).toBe(3));
});

test('a log-out leaves nothing on the device', async () => {
  const { server, device } = await openUnlocked();
  await device?.put('outbox', 1, 'typed');
  server.responds(logout, { message: 'Logged out' });
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  await waitFor(async () => expect(await openDevice(ada.id)).toBeUndefined());
  expect(await findUnlockedUser()).toBeUndefined();
});

test('a session that the server has ended locks the device', async () => {
  const { server, app, device } = await openUnlocked();
  await device?.put('reading', 1, 'a copy');
  server.refuses(listUsers, 'not_authenticated', 'Please sign in');
  await refetch(app.queries, listUsers);
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  await waitFor(async () => expect(await openDevice(ada.id)).toBeUndefined());
});
