import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSettings, getUser, logout } from '#contract/auth/auth.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { read } from '#web/kit/api.ts';
import { deleteDrafts, readDraft, saveDraft } from '#web/kit/drafts.ts';
import { currentUrl, openApp, serverFor } from '#web/testing/app.tsx';
import { ada } from '#web/testing/fixtures.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const header = async () => within(await screen.findByRole('banner'));

test.each<[Role, string[]]>([
  ['admin', ['Highstreet', 'Leads', 'Search', 'Progress', 'Users']],
  ['manager', ['Highstreet', 'Leads', 'Search', 'Progress']],
  ['user', ['Highstreet', 'Leads', 'Search']],
])('a %s has the links %j', async (role, links) => {
  serverFor(role);
  openApp('/crm');
  const names = (await header()).getAllByRole('link').map((link) => link.textContent);
  expect(names).toEqual(links);
  expect((await header()).getByRole('link', { name: 'Highstreet' })).toHaveAttribute('href', '/');
  expect((await header()).getByText('Ada Lovelace')).toBeVisible();
});

test.each([
  ['/crm', 'Leads'],
  ['/search', 'Search'],
  ['/progress', 'Progress'],
  ['/users', 'Users'],
])('at %s the link %s is marked as the current page, and leads there', async (path, name) => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  openApp(path);
  const nav = within((await header()).getByRole('navigation', { name: 'Main' }));
  expect(nav.getAllByRole('link', { current: 'page' }).map((link) => link.textContent)).toEqual([name]);
  expect(nav.getByRole('link', { name })).toHaveAttribute('href', path);
});

test('a user finds the search, and the way back to their leads', async () => {
  serverFor('user');
  openApp('/crm');
  await userEvent.click((await header()).getByRole('link', { name: 'Search' }));
  await heading('Search for Businesses');
  expect(currentUrl()).toBe('/search');
  await userEvent.click((await header()).getByRole('link', { name: 'Leads' }));
  await heading('CRM Dashboard');
});

test('someone without a full name is called by their username', async () => {
  const server = serverFor('user');
  server.responds(getUser, { ...ada, fullName: '' });
  openApp('/crm');
  expect((await header()).getByText('ada')).toBeVisible();
});

test('help names the e-mail address of the support team', async () => {
  serverFor('user');
  openApp('/crm');
  await userEvent.click((await header()).getByRole('button', { name: 'Help' }));

  expect(await screen.findByText('Need Help?')).toBeVisible();
  expect(screen.getByText(/Contact the support team/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'help@example.com' })).toHaveAttribute(
    'href',
    'mailto:help@example.com',
  );
});

test('the first stop leads past it', async () => {
  serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  await userEvent.tab();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#content');
  expect(screen.getByRole('main')).toHaveAttribute('id', 'content');
});

test('logging out says so while it takes, then forgets everything', async () => {
  const server = serverFor('user');
  const leaving = server.holds(logout);
  const { queries } = openApp('/crm');
  await heading('CRM Dashboard');
  await queries.fetchQuery(read(getSettings));

  await userEvent.click((await header()).getByRole('button', { name: 'Logout' }));
  expect((await header()).getByRole('button', { name: 'Logging out...' })).toHaveAttribute('aria-disabled', 'true');
  act(() => leaving.respond({ message: 'Logged out' }));

  await heading('Sign in');
  expect(currentUrl()).toBe('/auth');
  expect(window.history.state).not.toHaveProperty('from');
  expect(screen.getByText('Logged out')).toBeVisible();
  expect(screen.getByText('You have been logged out successfully.')).toBeVisible();
  expect(queries.getQueryData(read(getSettings).queryKey)).toBeUndefined();
  expect(screen.queryByText(/session has ended/)).toBeNull();
});

test('the bell comes after the rest, with what is unread', async () => {
  const server = serverFor('user');
  server.responds(listNotifications, { items: [], unread: 2 });
  openApp('/crm');
  expect(await (await header()).findByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible();
});

test('whoever logs out with unsaved notes is asked, because they are forgotten', async () => {
  const server = serverFor('user');
  deleteDrafts();
  saveDraft(ada.id, UUID, { text: 'Half a thought', version: 0 });
  openApp('/crm');

  const leave = async () => userEvent.click((await header()).getByRole('button', { name: 'Logout' }));
  const dialog = () => within(screen.getByRole('alertdialog', { name: 'Notes not saved' }));
  await leave();
  expect(dialog().getByText('You have notes that are not saved. Log out and lose them?')).toBeVisible();
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect((await header()).getByRole('button', { name: 'Logout' })).toHaveFocus();
  expect(server.times(logout)).toBe(0);
  expect(readDraft(ada.id, UUID)).toBeDefined();

  server.refuses(logout, 'internal', 'Something went wrong');
  await leave();
  await userEvent.click(dialog().getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logout failed')).toBeVisible();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(readDraft(ada.id, UUID)).toBeDefined();

  server.responds(logout, { message: 'Logged out' });
  await leave();
  await userEvent.click(dialog().getByRole('button', { name: 'Log out' }));
  await heading('Sign in');
  expect(readDraft(ada.id, UUID)).toBeUndefined();
});

test('a logout that fails says why and stays', async () => {
  const server = serverFor('user');
  server.refuses(logout, 'internal', 'Something went wrong');
  openApp('/crm');

  await userEvent.click((await header()).getByRole('button', { name: 'Logout' }));

  expect(await screen.findByText('Logout failed')).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();
  expect((await header()).getByRole('button', { name: 'Logout' })).toBeEnabled();
});
