import { useMutation, useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { read, refetch, send } from './api.ts';
import { clearCache } from './queries.ts';
import { ConnectionBar } from './ui/ConnectionBar.tsx';

type Meta = Parameters<typeof useMutation>[0]['meta'];

function LogoutButton({ meta }: { meta: Meta }) {
  const { mutate } = useMutation({ mutationFn: () => send(logout), meta });
  return (
    <button type="button" onClick={() => mutate()}>
      Go
    </button>
  );
}

function UserList() {
  const users = useQuery(read(listUsers));
  return <p>{users.isPending ? 'pending' : users.isError ? users.error.message : `${users.data.length} users`}</p>;
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Go' }));

test.each<{ name: string; meta: Meta; expected: string[] }>([
  { name: 'a title', meta: { success: 'Tag added' }, expected: ['Tag added'] },
  {
    name: 'a title and a description',
    meta: { success: { title: 'Done', description: 'All of it' } },
    expected: ['Done | All of it'],
  },
  { name: 'a function of the response', meta: { success: ({ message }) => `Said ${message}` }, expected: ['Said bye'] },
  { name: 'no toast', meta: {}, expected: [] },
])('a successful mutation with $name', async ({ meta, expected }) => {
  const server = fakeServer();
  server.responds(logout, { message: 'bye' });
  const { toasts } = show(<LogoutButton meta={meta} />);

  await press();

  await waitFor(() => expect(server.times(logout)).toBe(1));
  await waitFor(() => expect(toasts).toEqual(expected));
});

test.each<{ name: string; meta: Meta; expected: string[] }>([
  {
    name: 'its own title',
    meta: { errorTitle: 'Logout failed' },
    expected: ['Logout failed | 500: Something went wrong'],
  },
  { name: '"Error" as the default title', meta: {}, expected: ['Error | 500: Something went wrong'] },
  { name: 'no toast where the title is null', meta: { errorTitle: null }, expected: [] },
  {
    name: 'the message of the response before the fallback message',
    meta: { errorTitle: 'Error', fallbackMessage: 'Failed to log out' },
    expected: ['Error | 500: Something went wrong'],
  },
])('a failed mutation shows $name', async ({ meta, expected }) => {
  const server = fakeServer();
  server.refuses(logout, 'internal', 'Something went wrong');
  const { toasts, queries } = show(<LogoutButton meta={meta} />);

  await press();

  await waitFor(() => expect(queries.getMutationCache().getAll()[0]?.state.status).toBe('error'));
  expect(toasts).toEqual(expected);
});

test('an error response without a message shows the fallback message', async () => {
  fakeServer().breaks(logout, 500, '');
  const { toasts } = show(<LogoutButton meta={{ errorTitle: 'Error', fallbackMessage: 'Failed to log out' }} />);

  await press();

  await waitFor(() => expect(toasts).toEqual(['Error | Failed to log out']));
});

test('an ended session calls onSignedOut and shows no toast', async () => {
  fakeServer().refuses(logout, 'not_authenticated', 'Please sign in');
  const { toasts } = show(<LogoutButton meta={{ errorTitle: 'Logout failed' }} />);

  await press();

  await waitFor(() => expect(toasts).toEqual(['(signed out)']));
});

test('a wrong password does not end the session', async () => {
  fakeServer().refuses(login, 'invalid_credentials', 'Invalid username or password');
  function SignIn() {
    const { mutate } = useMutation({
      mutationFn: () => send(login, { body: { username: 'ada', password: 'secret' } }),
      meta: { errorTitle: 'Login failed' },
    });
    return (
      <button type="button" onClick={() => mutate()}>
        Go
      </button>
    );
  }
  const { toasts } = show(<SignIn />);

  await press();

  await waitFor(() => expect(toasts).toEqual(['Login failed | 401: Invalid username or password']));
});

test('a failed read is not retried', async () => {
  const server = fakeServer();
  server.refuses(listUsers, 'internal', 'Something went wrong');
  const { toasts } = show(<UserList />);

  expect(await screen.findByText('500: Something went wrong')).toBeVisible();
  expect(server.times(listUsers)).toBe(1);
  expect(toasts).toEqual([]);
});

test('while the server is unavailable a read is retried with growing delays under a banner', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.refuses(listUsers, 'database_unavailable', 'The database is not available');
  show(
    <>
      <ConnectionBar />
      <UserList />
    </>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  await pass(0);
  expect(screen.getByText(/not available right now/)).toBeVisible();
  await pass(1_000);
  expect(server.times(listUsers)).toBe(2);
  await pass(1_999);
  expect(server.times(listUsers)).toBe(2);
  await pass(1);
  expect(server.times(listUsers)).toBe(3);
  expect(screen.getByText('pending')).toBeVisible();

  server.responds(listUsers, []);
  await pass(4_000);
  await pass(1);
  expect(screen.getByText('0 users')).toBeVisible();
  expect(screen.queryByText(/not available right now/)).toBeNull();
});

test('Retry-After lengthens the delay', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.refuses(listUsers, 'busy', 'Busy', { retryAfter: 20 });
  show(<UserList />);

  await act(() => vi.advanceTimersByTimeAsync(19_999));
  expect(server.times(listUsers)).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(server.times(listUsers)).toBe(2);
});

test('a missing API key of the places provider is not retried', async () => {
  const server = fakeServer();
  server.refuses(listUsers, 'api_key_missing', 'The Places API key is missing');
  show(<UserList />);

  expect(await screen.findByText('503: The Places API key is missing')).toBeVisible();
  expect(server.times(listUsers)).toBe(1);
});

test('cached data is refetched only by refetch, not by window focus', async () => {
  const server = fakeServer();
  server.responds(listUsers, []);
  const { queries, unmount } = show(<UserList />);
  await screen.findByText('0 users');

  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(server.times(listUsers)).toBe(1);

  await act(() => refetch(queries, listUsers));
  expect(server.times(listUsers)).toBe(2);
  unmount();
});

test('clearCache removes all but the given paths and aborts pending requests', async () => {
  const server = fakeServer();
  server.responds(getUser, ada);
  server.responds(getSettings, SETTINGS);
  server.holds(listUsers);
  const { queries } = show(<UserList />);
  await queries.fetchQuery(read(getSettings));
  await queries.fetchQuery(read(getUser));

  clearCache(queries, getUser.path);

  expect(server.last(listUsers)?.signal?.aborted).toBe(true);
  expect(queries.getQueryData(read(getSettings).queryKey)).toBeUndefined();
  expect(queries.getQueryData(read(getUser).queryKey)).toEqual(ada);
});
