import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getAccount, listSessions } from '#contract/account/account.calls.ts';
import { getUser, logout } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listChanges } from '#contract/changes/changes.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { getReminderSettings } from '#contract/reminders/reminders.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { read } from '#web/kit/api.ts';
import { deleteDrafts, readDraft, saveDraft } from '#web/kit/storage/drafts.ts';
import { currentUrl, openApp, serverFor } from '#web/testing/app.tsx';
import { ada, anAccount, SETTINGS } from '#web/testing/fixtures.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const header = async () => within(await screen.findByRole('banner'));

test.each<[Role, string[]]>([
  ['admin', ['Highstreet', 'Today', 'Leads', 'Search', 'Progress', 'Coverage', 'Reports', 'Users']],
  ['manager', ['Highstreet', 'Today', 'Leads', 'Search', 'Progress', 'Coverage', 'Reports']],
  ['user', ['Highstreet', 'Today', 'Leads', 'Search', 'Coverage', 'Reports']],
])('a %s has the links %j', async (role, links) => {
  serverFor(role);
  openApp('/crm');
  const names = (await header()).getAllByRole('link').map((link) => link.textContent || link.ariaLabel);
  expect(names).toEqual(links);
  expect((await header()).getByRole('link', { name: 'Highstreet' })).toHaveAttribute('href', '/');
  expect((await header()).getByText('Ada Lovelace')).toBeVisible();
});

test.each([
  ['/crm', 'Leads'],
  ['/search', 'Search'],
  ['/progress', 'Progress'],
  ['/reports', 'Reports'],
])('at %s the link %s is marked as the current page, and leads there', async (path, name) => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  openApp(path);
  const nav = within((await header()).getByRole('navigation', { name: 'Main' }));
  expect(nav.getAllByRole('link', { current: 'page' }).map((link) => link.textContent)).toEqual([name]);
  expect(nav.getByRole('link', { name })).toHaveAttribute('href', path);
});

test('the users are one click away for an administrator', async () => {
  const server = serverFor('admin');
  server.responds(listUsers, []);
  openApp('/crm');
  const link = (await header()).getByRole('link', { name: 'Users' });
  expect(link).not.toHaveAttribute('aria-current');
  await userEvent.click(link);
  await heading('User Management');
  expect((await header()).getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page');
});

test('a user can open the search and return to the leads', async () => {
  serverFor('user');
  openApp('/crm');
  await userEvent.click((await header()).getByRole('link', { name: 'Search' }));
  await heading('Search for Businesses');
  expect(currentUrl()).toBe('/search');
  await userEvent.click((await header()).getByRole('link', { name: 'Leads' }));
  await heading('CRM Dashboard');
});

test('a user without a full name is shown by username', async () => {
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

test('the first focusable element skips the header', async () => {
  serverFor('user');
  openApp('/crm');
  await heading('CRM Dashboard');
  await userEvent.tab();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#content');
  expect(screen.getByRole('main')).toHaveAttribute('id', 'content');
});

test('logging out shows that it is pending, then clears the cache', async () => {
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

test('the bell is loaded after the screen and shows the number of unread notifications', async () => {
  const server = serverFor('user');
  server.responds(listNotifications, { items: [], unread: 2 });
  openApp('/crm');
  expect(await (await header()).findByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible();
});

test('logging out with unsaved notes needs a confirmation, because it deletes them', async () => {
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

test('a failed logout shows the reason and keeps the session', async () => {
  const server = serverFor('user');
  server.refuses(logout, 'internal', 'Something went wrong');
  openApp('/crm');

  await userEvent.click((await header()).getByRole('button', { name: 'Logout' }));

  expect(await screen.findByText('Logout failed')).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();
  expect((await header()).getByRole('button', { name: 'Logout' })).toBeEnabled();
});

test('the theme is behind the name of the user', async () => {
  serverFor('user');
  openApp('/crm');
  expect((await header()).queryByRole('radio')).toBeNull();
  await userEvent.click((await header()).getByRole('button', { name: 'Ada Lovelace' }));
  const account = within(screen.getByRole('dialog', { name: 'Account' }));
  expect(account.getByText('ada@example.com')).toBeVisible();
  await userEvent.click(account.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  await userEvent.click(account.getByRole('radio', { name: 'System' }));
});

test('the account is behind the name of the user, and opening it closes the menu', async () => {
  const server = serverFor('user');
  server.responds(getAccount, anAccount());
  server.responds(listSessions, []);
  server.responds(getReminderSettings, { morningEmail: true, weeklyEmail: false, calendarCreatedAt: null });
  openApp('/crm');
  await userEvent.click((await header()).getByRole('button', { name: 'Ada Lovelace' }));
  await userEvent.click(screen.getByRole('link', { name: 'Your account' }));
  await heading('Your account');
  expect(currentUrl()).toBe('/account');
  expect(screen.queryByRole('dialog', { name: 'Account' })).toBeNull();
});

test('the recent changes are behind the name of the user', async () => {
  const server = serverFor('user');
  server.responds(listChanges, { items: [], next: null });
  openApp('/crm');
  await userEvent.click((await header()).getByRole('button', { name: 'Ada Lovelace' }));
  await userEvent.click(screen.getByRole('link', { name: 'Recent changes' }));
  await heading('Recent changes');
  expect(await screen.findByText('No changes yet')).toBeVisible();
});

test.each<[Role, string[]]>([
  ['user', ['Your account', 'Proposals', 'Recent changes']],
  ['manager', ['Your account', 'Proposals', 'Recent changes']],
  ['admin', ['Your account', 'Proposals']],
])('behind the name of a %s are the screens %j', async (role, labels) => {
  serverFor(role);
  openApp('/crm');
  await userEvent.click((await header()).getByRole('button', { name: 'Ada Lovelace' }));
  const account = within(screen.getByRole('dialog', { name: 'Account' }));
  expect(account.getAllByRole('link').map((link) => link.textContent)).toEqual(labels);
});

test('the logo leads to the screen that the user starts with', async () => {
  const server = serverFor('user');
  server.responds(getSettings, { ...SETTINGS, startAt: 'search' });
  openApp('/crm');
  await userEvent.click((await header()).getByRole('link', { name: 'Highstreet' }));
  await heading('Search for Businesses');
  expect(currentUrl()).toBe('/search');
});

const MANAGED: [label: string, path: string][] = [
  ['Import', '/import'],
  ['Duplicates', '/duplicates'],
  ['Sweeps', '/sweeps'],
  ['Territories', '/territories'],
  ['Users', '/users'],
  ['Do not contact', '/objections'],
  ['Recent changes', '/changes'],
  ['Audit log', '/audit'],
  ['Settings', '/settings'],
  ['System', '/system'],
];

test('what administrators look after is under "Manage"', async () => {
  serverFor('admin');
  openApp('/settings');
  await heading('Settings');
  await userEvent.click((await header()).getByRole('button', { name: 'Manage' }));
  const menu = within(screen.getByRole('navigation', { name: 'Manage' }));
  const links = menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual(MANAGED);
  expect(menu.getByRole('link', { current: 'page' })).toHaveTextContent('Settings');
  await userEvent.click(menu.getByRole('link', { name: 'Import' }));
  await heading('Import Businesses');
  expect(screen.queryByRole('navigation', { name: 'Manage' })).toBeNull();
});

test.each<Role>(['manager', 'user'])('a %s has nothing to manage', async (role) => {
  serverFor(role);
  openApp('/crm');
  expect((await header()).queryByRole('button', { name: 'Manage' })).toBeNull();
});

describe('on a phone', () => {
  beforeEach(() => {
    const phone = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
    vi.stubGlobal('matchMedia', () => phone);
  });

  test.each<[Role, string[]]>([
    ['admin', ['Today', 'Leads', 'Map']],
    // Who may not add businesses has the search in its place.
    ['manager', ['Today', 'Leads', 'Search', 'Map']],
    ['user', ['Today', 'Leads', 'Search', 'Map']],
  ])('a %s has the bottom bar %j, and no links in the header but the logo', async (role, labels) => {
    serverFor(role);
    openApp('/crm');
    const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
    await waitFor(() => expect(bar.getAllByRole('link')).toHaveLength(labels.length));
    expect(bar.getAllByRole('link').map((link) => link.textContent)).toEqual(labels);
    expect(bar.getByRole('link', { current: 'page' })).toHaveTextContent('Leads');
    expect((await header()).getAllByRole('link').map((link) => link.textContent)).toEqual(['Highstreet']);
    expect((await header()).queryByRole('button', { name: 'Logout' })).toBeNull();
  });

  test('the bottom bar adds a business, and tells the map from the list', async () => {
    serverFor('admin');
    openApp('/crm?view=map');
    const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(bar.getByRole('link', { current: 'page' })).toHaveTextContent('Map');
    expect(bar.getByRole('link', { name: 'Map' })).toHaveAttribute('href', '/crm?view=map');
    await userEvent.click(bar.getByRole('button', { name: 'Add a business' }));
    expect(await screen.findByRole('dialog', { name: 'Add business' })).toBeVisible();
  });

  test.each<[Role, string[]]>([
    ['admin', ['Search', 'Progress', 'Coverage', 'Reports']],
    ['user', ['Coverage', 'Reports']],
  ])('of a %s, "More" has first %j', async (role, labels) => {
    serverFor(role);
    openApp('/crm');
    await screen.findByRole('link', { name: role === 'admin' ? 'Map' : 'Search' });
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    const more = within(screen.getByRole('dialog', { name: 'More' }));
    const links = more.getAllByRole('link').map((link) => link.textContent);
    expect(links.slice(0, labels.length)).toEqual(labels);
  });

  test('Back closes "More", and leaves the screen where it is', async () => {
    serverFor('user');
    openApp('/crm');
    await userEvent.click(await screen.findByRole('button', { name: 'More' }));
    expect(screen.getByRole('dialog', { name: 'More' })).toBeVisible();
    act(() => history.back());
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'More' })).toBeNull());
    expect(currentUrl()).toBe('/crm');
    expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
  });

  test('"More" has the remaining screens, the name, the theme, Help and Logout', async () => {
    const server = serverFor('admin');
    server.responds(listUsers, []);
    openApp('/crm');
    await userEvent.click(await screen.findByRole('button', { name: 'More' }));
    const more = within(screen.getByRole('dialog', { name: 'More' }));
    expect(more.getByText('Ada Lovelace')).toBeVisible();
    expect(more.getByRole('radio', { name: 'Light' })).toBeVisible();
    expect(more.getByRole('link', { name: 'Your account' })).toHaveAttribute('href', '/account');
    const managed = within(more.getByRole('region', { name: 'Manage' })).getAllByRole('link');
    expect(managed.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(MANAGED);
    expect(more.getByRole('button', { name: 'Help' })).toBeVisible();
    expect(more.getByRole('button', { name: 'Logout' })).toBeVisible();

    await userEvent.click(more.getByRole('link', { name: 'Users' }));
    await heading('User Management');
    expect(screen.queryByRole('dialog', { name: 'More' })).toBeNull();
  });

  test('the confirmation of a logout from "More" can be cancelled and confirmed', async () => {
    const server = serverFor('user');
    deleteDrafts();
    saveDraft(ada.id, UUID, { text: 'Half a thought', version: 0 });
    server.responds(logout, { message: 'Logged out' });
    openApp('/crm');
    await userEvent.click(await screen.findByRole('button', { name: 'More' }));
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
    await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
    await heading('Sign in');
  });
});
