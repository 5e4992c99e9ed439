import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { read } from './kit/api.ts';
import { readDraft, saveDraft } from './kit/drafts.ts';
import { toasts as pageToasts } from './kit/toasts.ts';
import { currentUrl, openApp, serverFor, serverForVisitors } from './testing/app.tsx';
import { ada } from './testing/fixtures.ts';
import { aProfile, UUID } from './testing/lead-profile.tsx';

const bob = { ...ada, id: 2, username: 'bob', fullName: 'Bob Cratchit', role: 'user' as const };
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Another tab of the same browser. */
let otherTab: BroadcastChannel;
let heard: unknown[];
beforeEach(() => {
  heard = [];
  otherTab = new BroadcastChannel('highstreet.session');
  otherTab.onmessage = ({ data }) => heard.push(data);
});
afterEach(() => otherTab.close());

const cached = (queries: ReturnType<typeof openApp>['queries']) =>
  queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey[0]);

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
  await waitFor(() => expect(heard).toEqual([{ userId: ada.id }, { userId: null }]));
});

test('when another user signs in elsewhere, the tab shows that one, at home, and nothing of the first', async () => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  const { queries } = openApp('/users');
  await heading('User Management');
  await screen.findByText('Ada Lovelace');
  saveDraft(ada.id, UUID, { text: 'Half a thought', version: 0 });
  const asking = server.holds(getUser);

  otherTab.postMessage({ userId: bob.id });

  await waitFor(() => expect(screen.queryByText('Ada Lovelace')).toBeNull());
  expect(screen.queryByRole('banner')).toBeNull();
  await waitFor(() => expect(cached(queries)).toEqual([getUser.path]));
  asking.respond(bob);
  await heading('CRM Dashboard');
  expect(within(screen.getByRole('banner')).getByText('Bob Cratchit')).toBeVisible();
  expect(currentUrl()).toBe('/');
  expect(readDraft(ada.id, UUID)).toBeUndefined();
});

test('the same user signing in again elsewhere changes nothing', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  const asked = server.times(getUser);
  otherTab.postMessage({ userId: ada.id });
  otherTab.postMessage({ userId: ada.id });
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(server.times(getUser)).toBe(asked);
  expect(screen.getByRole('heading', { name: 'CRM Dashboard' })).toBeVisible();
});

test('a log-out elsewhere leads to sign-in, forgets what was read and names no business', async () => {
  const server = serverFor('user');
  server.responds(getUser, { ...ada, id: 7, role: 'user' });
  server.responds(getLead.byId, aProfile());
  const { queries } = openApp('/business/5');
  await heading('Blue Door Bakery');
  await userEvent.type(screen.getByRole('textbox', { name: 'Activity notes' }), 'Half a thought');

  otherTab.postMessage({ userId: null });

  await heading('Sign in');
  expect(window.history.state).not.toHaveProperty('from');
  expect(cached(queries)).toEqual([getUser.path]);
  expect(pageToasts.current()?.description ?? '').not.toContain('Blue Door');
  expect(readDraft(7, `${UUID}.activity`)).toBeUndefined();
});

test('a tab without a user follows a sign-in elsewhere', async () => {
  const server = serverForVisitors();
  openApp('/crm');
  await heading('Sign in');
  server.responds(getUser, bob);
  otherTab.postMessage({ userId: bob.id });
  await heading('CRM Dashboard');
  expect(within(screen.getByRole('banner')).getByText('Bob Cratchit')).toBeVisible();
});

test('every call says for whom the page is shown', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await waitFor(() => expect(server.times(getWeeklyContacts)).toBeGreaterThan(0));
  expect(server.last(getWeeklyContacts)?.headers.get('x-viewer-id')).toBe(String(ada.id));
});

test('a tab that heard nothing follows when a call is refused for another user', async () => {
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
  { who: 'another user', refusal: 'session_changed', title: 'CRM Dashboard' },
  { who: 'no user', refusal: 'not_authenticated', title: 'Sign in' },
] as const)('a tab that is looked at again checks its user, and follows when there is $who', async (given) => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  openApp('/users');
  await heading('User Management');
  const asked = server.times(getUser);
  server.handles(getUser, ({ headers }) =>
    given.refusal === 'not_authenticated' || headers.has('x-viewer-id')
      ? Response.json(
          { code: given.refusal, message: 'No' },
          { status: given.refusal === 'session_changed' ? 409 : 401 },
        )
      : Response.json(bob),
  );

  act(() => void document.dispatchEvent(new Event('visibilitychange')));

  await heading(given.title);
  expect(server.times(getUser)).toBeGreaterThan(asked);
  expect(screen.queryByText('Ada Lovelace')).toBeNull();
});

test('a tab that is hidden, or still shows its user, stays as it is', async () => {
  const server = serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  const asked = server.times(getUser);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(server.times(getUser)).toBe(asked);

  visibility.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(server.times(getUser)).toBe(asked + 1));
  expect(screen.getByRole('heading', { name: 'CRM Dashboard' })).toBeVisible();
});
