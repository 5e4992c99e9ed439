import { onlineManager, useMutation, useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { logout } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { read, send } from './api.ts';
import { refetchOnReturn } from './queries.ts';
import { ConnectionBar } from './ui/ConnectionBar.tsx';

const OFFLINE = 'You are offline; what you write is kept';

function Users({ options = {} }: { options?: object }) {
  const users = useQuery({ ...read(listUsers), ...options });
  return <p>{users.data ? `${users.data.length} users` : (users.error?.message ?? 'pending')}</p>;
}

const showUsers = (options?: object) =>
  show(
    <>
      <ConnectionBar />
      <Users options={options} />
    </>,
  );

test('the bar follows what the browser says about the network', async () => {
  fakeServer().responds(listUsers, []);
  showUsers();
  await screen.findByText('0 users');
  expect(screen.queryByRole('status')).toBeNull();
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByRole('status')).toHaveTextContent(OFFLINE);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByRole('status')).toBeNull();
});

test.each<[string, (server: ReturnType<typeof fakeServer>) => void]>([
  ['has no response', (server) => server.vanishes(listUsers)],
  ['has a response of a proxy without a server', (server) => server.breaks(listUsers, 502, 'Bad Gateway')],
  ['has a JSON response of a proxy that timed out', (server) => server.breaks(listUsers, 504, '{"error":"timeout"}')],
])('a read that %s shows the bar, and is repeated until it succeeds', async (_, fail) => {
  vi.useFakeTimers();
  const server = fakeServer();
  fail(server);
  showUsers();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByRole('status')).toHaveTextContent(OFFLINE);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(server.times(listUsers)).toBe(2);
  expect(screen.getByRole('status')).toHaveTextContent(OFFLINE);

  server.responds(listUsers, []);
  await act(() => vi.advanceTimersByTimeAsync(5_001));
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.getByText('0 users')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(server.times(listUsers)).toBe(3);
});

test('a read that must not be repeated unasked is not', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.vanishes(listUsers);
  showUsers({ refetchOnReconnect: false });
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  act(() => onlineManager.setOnline(true));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(server.times(listUsers)).toBe(1);
});

test('while one read cannot reach the server and others can, each is repeated at its own pace', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.vanishes(listUsers);
  function Settings() {
    useQuery({ ...read(getSettings), ...refetchOnReturn, refetchInterval: 5_000 });
    return null;
  }
  show(
    <>
      <ConnectionBar />
      <Settings />
      <Users options={refetchOnReturn} />
    </>,
  );
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(server.times(listUsers)).toBeLessThanOrEqual(14);
  expect(server.times(getSettings)).toBeLessThanOrEqual(14);
  expect(screen.getByRole('status')).toHaveTextContent(OFFLINE);
});

test.each([
  ['forbidden', '403: Not now'],
  ['provider_error', '502: Not now'],
  ['request_denied', '502: Not now'],
  ['provider_timeout', '504: Not now'],
] as const)('a refusal (%s) is a response: no bar', async (code, shown) => {
  fakeServer().refuses(listUsers, code, 'Not now');
  showUsers();
  expect(await screen.findByText(shown)).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
});

test('when the network is back, only reads that failed or that others change are refetched', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listUsers, []);
  function Settings() {
    useQuery(read(getSettings));
    return null;
  }
  show(
    <>
      <Settings />
      <Users options={refetchOnReturn} />
    </>,
  );
  await screen.findByText('0 users');
  act(() => onlineManager.setOnline(false));
  act(() => onlineManager.setOnline(true));
  await waitFor(() => expect(server.times(listUsers)).toBe(2));
  expect(server.times(getSettings)).toBe(1);
});

test('on return to the page, reads that others change are refetched once they are older than five seconds', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.responds(listUsers, []);
  showUsers(refetchOnReturn);
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const leaveAndReturn = async () => {
    for (const state of ['hidden', 'visible'] as const) {
      visibility.mockReturnValue(state);
      await act(async () => window.dispatchEvent(new Event('visibilitychange')));
    }
    await act(() => vi.advanceTimersByTimeAsync(0));
  };
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  await leaveAndReturn();
  expect(server.times(listUsers)).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await leaveAndReturn();
  expect(server.times(listUsers)).toBe(2);
});

test('a change while offline fails at once and says so', async () => {
  const server = fakeServer();
  server.vanishes(logout);
  function Change() {
    const { mutate } = useMutation({ mutationFn: () => send(logout), meta: { errorTitle: 'Change failed' } });
    return (
      <button type="button" onClick={() => mutate()}>
        Change
      </button>
    );
  }
  const { toasts } = show(<Change />);
  act(() => onlineManager.setOnline(false));
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  await waitFor(() =>
    expect(toasts).toEqual(['Change failed | Highstreet could not be reached. Check your connection and try again.']),
  );
});
