import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSso, getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { readDraft, saveDraft } from '#web/kit/storage/drafts.ts';
import { read } from './kit/api.ts';
import { toasts as pageToasts } from './kit/toasts.ts';
import { currentUrl, openApp, serverFor, serverForVisitors } from './testing/app.tsx';
import { ada } from './testing/fixtures.ts';
import { aProfile, UUID } from './testing/lead-profile.tsx';

const bob = { ...ada, id: 2, username: 'bob', fullName: 'Bob Cratchit', role: 'user' as const };
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Another tab of the same browser. */
let otherTab: BroadcastChannel;
let messages: unknown[];
beforeEach(() => {
  messages = [];
  otherTab = new BroadcastChannel('highstreet.session');
  otherTab.onmessage = ({ data }) => messages.push(data);
});
afterEach(() => otherTab.close());

/** Without what the sign-in page reads, which is of no user. */
const cachedPaths = (queries: ReturnType<typeof openApp>['queries']) =>
  queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey[0])
    .filter((path) => path !== getSso.path);

test('signing in and logging out are reported to the other tabs', async () => {
  const server = serverForVisitors();
  openApp('/crm');
  await heading('Sign in');
  server.responds(login, ada);
  server.responds(logout, { message: 'Logged out' });
  await userEvent.type(screen.getByLabelText('Username or email'), 'ada');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await heading('Sign in');
  await waitFor(() => expect(messages).toEqual([{ userId: ada.id }, { userId: null }]));
});

test('after a log-out, this tab and one that follows it have stored nothing of the user', async () => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  server.responds(logout, { message: 'Logged out' });
  const fill = () => {
    sessionStorage.setItem('highstreet.selection.leads.1', '{"scope":"","ids":[5]}');
  };
  const view = openApp('/users');
  await heading('User Management');
  fill();
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await heading('Sign in');
  window.dispatchEvent(new Event('pagehide'));
  expect(Object.keys(sessionStorage)).toEqual([]);

  view.unmount();
  openApp('/users');
  await heading('User Management');
  fill();
  otherTab.postMessage({ userId: null });
  await heading('Sign in');
  expect(Object.keys(sessionStorage).filter((key) => /selection/.test(key))).toEqual([]);
});

test('when another user signs in in another tab, this one shows their home screen and nothing of the first user', async () => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  const { queries } = openApp('/users');
  await heading('User Management');
  await screen.findByText('Ada Lovelace');
  saveDraft(ada.id, UUID, { text: 'Half a thought', version: 0 });
  const held = server.holds(getUser);

  otherTab.postMessage({ userId: bob.id });

  await waitFor(() => expect(screen.queryByText('Ada Lovelace')).toBeNull());
  expect(screen.queryByRole('banner')).toBeNull();
  await waitFor(() => expect(cachedPaths(queries)).toEqual([getUser.path]));
  held.respond(bob);
  await heading('CRM Dashboard');
  expect(within(screen.getByRole('banner')).getByText('Bob Cratchit')).toBeVisible();
  expect(currentUrl()).toBe('/');
  expect(readDraft(ada.id, UUID)).toBeUndefined();
});

test('the same user signing in again in another tab changes nothing', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  const requests = server.times(getUser);
  otherTab.postMessage({ userId: ada.id });
  otherTab.postMessage({ userId: ada.id });
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(server.times(getUser)).toBe(requests);
  expect(screen.getByRole('heading', { name: 'CRM Dashboard' })).toBeVisible();
});

test('a log-out in another tab redirects to sign-in, clears the cache and shows no business', async () => {
  const server = serverFor('user');
  server.responds(getUser, { ...ada, id: 7, role: 'user' });
  server.responds(getLead.byId, aProfile());
  const { queries } = openApp('/business/5');
  await heading('Blue Door Bakery');
  await userEvent.type(screen.getByRole('textbox', { name: 'Activity notes' }), 'Half a thought');

  otherTab.postMessage({ userId: null });

  await heading('Sign in');
  expect(window.history.state).not.toHaveProperty('from');
  expect(cachedPaths(queries)).toEqual([getUser.path]);
  expect(pageToasts.current()?.description ?? '').not.toContain('Blue Door');
  expect(readDraft(7, `${UUID}.activity`)).toBeUndefined();
});

test('a log-out in another tab that a refused call reported first is no session that ended', async () => {
  const server = serverFor('user');
  const { queries } = openApp('/crm');
  await heading('CRM Dashboard');
  server.refuses(getWeeklyContacts, 'not_authenticated', 'Please sign in');
  await act(() => queries.invalidateQueries({ queryKey: [getWeeklyContacts.path] }));
  await heading('Sign in');
  expect(screen.getByText(/Your session has ended/)).toBeVisible();

  otherTab.postMessage({ userId: null });

  await waitFor(() => expect(screen.queryByText(/Your session has ended/)).toBeNull());
  expect(window.history.state).not.toHaveProperty('from');
});

test('a signed-out tab follows a sign-in in another tab', async () => {
  const server = serverForVisitors();
  openApp('/crm');
  await heading('Sign in');
  server.responds(getUser, bob);
  otherTab.postMessage({ userId: bob.id });
  await heading('CRM Dashboard');
  expect(within(screen.getByRole('banner')).getByText('Bob Cratchit')).toBeVisible();
});

test('every call sends the id of the viewer', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await waitFor(() => expect(server.times(getWeeklyContacts)).toBeGreaterThan(0));
  expect(server.last(getWeeklyContacts)?.headers.get('x-viewer-id')).toBe(String(ada.id));
});

test('a tab that missed the message follows when a call is refused with session_changed', async () => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  const { queries } = openApp('/users');
  await heading('User Management');
  server.refuses(listUsers, 'session_changed', 'Another user has signed in');
  server.responds(getUser, bob);

  await act(() => queries.invalidateQueries(read(listUsers)));

  await heading('CRM Dashboard');
  expect(within(screen.getByRole('banner')).getByText('Bob Cratchit')).toBeVisible();
  expect(screen.queryByText(/Another user has signed in/)).toBeNull();
});

test.each([
  { user: 'another user', refusal: 'session_changed', title: 'CRM Dashboard' },
  { user: 'no user', refusal: 'not_authenticated', title: 'Sign in' },
] as const)(
  'a tab that becomes visible checks its session, and follows when it belongs to $user',
  async ({ refusal, title }) => {
    const server = serverFor('admin');
    server.responds(listUsers, []);
    openApp('/users');
    await heading('User Management');
    const requests = server.times(getUser);
    server.handles(getUser, ({ headers }) =>
      refusal === 'not_authenticated' || headers.has('x-viewer-id')
        ? Response.json({ code: refusal, message: 'No' }, { status: refusal === 'session_changed' ? 409 : 401 })
        : Response.json(bob),
    );

    act(() => void document.dispatchEvent(new Event('visibilitychange')));

    await heading(title);
    expect(server.times(getUser)).toBeGreaterThan(requests);
    expect(screen.queryByText('Ada Lovelace')).toBeNull();
  },
);

test('a hidden tab does not check its session; a visible one with the same user stays unchanged', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  const requests = server.times(getUser);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(server.times(getUser)).toBe(requests);

  visibility.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(server.times(getUser)).toBe(requests + 1));
  expect(screen.getByRole('heading', { name: 'CRM Dashboard' })).toBeVisible();
});
