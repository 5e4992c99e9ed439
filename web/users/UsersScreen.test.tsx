import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useReducer } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { listInvitations } from '#contract/account/invitations.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listUsers, setUserActive } from '#contract/users/users.calls.ts';
import { deleteDrafts, lockDrafts, saveDraft } from '#web/kit/storage/drafts.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import {
  action,
  findRow,
  minutesAway,
  openCreate,
  openUsers,
  press,
  showUsers,
  usernames,
} from '#web/testing/users.tsx';
import { UsersScreen } from './UsersScreen.tsx';
import { useUsers } from './users.data.ts';

const buildUsers = (count: number) =>
  Array.from({ length: count }, (_, index) => aUser({ username: `user-${String(index + 1).padStart(2, '0')}` }));

const search = () => screen.getByRole('searchbox', { name: 'Search users' });
const choose = (filter: string, option: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: filter }), option);

test('every account has a row', async () => {
  await openUsers();

  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Username',
    'Email',
    'Full Name',
    'Role',
    'Monthly Goal',
    'Status',
    'Actions',
  ]);
  expect(
    within(findRow('bob'))
      .getAllByRole('cell')
      .slice(0, 6)
      .map(({ textContent }) => textContent),
  ).toEqual(['bob', 'bob@example.com', 'Bob Cratchit', 'User', '80', 'Active']);
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/crm');
});

test('a dialog waits for what was typed into it before a reload', async () => {
  saveDraft(ada.id, 'users.new', { text: JSON.stringify({ username: 'half' }), version: 0 });
  lockDrafts({ except: ada.id });
  const server = fakeServer();
  server.responds(listUsers, [ada]);
  server.responds(listInvitations, []);
  const settings = server.holds(getSettings);
  showUsers();
  await openCreate();
  expect(screen.queryByRole('dialog')).toBeNull();
  settings.respond(SETTINGS);
  expect(await screen.findByRole('textbox', { name: 'Username' })).toHaveValue('half');
  deleteDrafts();
});

test('a status is shown while the list loads', async () => {
  const server = fakeServer();
  const list = server.holds(listUsers);
  showUsers();

  expect(screen.getByText('Loading users…')).toBeInTheDocument();
  list.respond([ada]);
  expect(await screen.findByRole('table')).toBeVisible();
  expect(screen.queryByText('Loading users…')).toBeNull();
});

test('a list that failed to load can be loaded again', async () => {
  const server = fakeServer();
  server.refuses(listUsers, 'internal', 'Something went wrong');
  showUsers();

  expect(await screen.findByRole('alert')).toHaveTextContent('Error loading users. Please try again.');
  server.responds(listUsers, [ada]);
  server.responds(listInvitations, []);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));

  expect(await screen.findByRole('table')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a loaded list stays when a refetch fails', async () => {
  const { server } = await openUsers();
  server.refuses(listUsers, 'internal', 'Something went wrong');
  server.responds(setUserActive, { ...bob, active: false });

  await press('bob', /deactivate/i);

  expect(await screen.findByText('Error loading users. Please try again.')).toBeVisible();
  expect(findRow('bob')).toBeVisible();
});

test('opening the screen fetches the accounts, even if a picker has cached them', async () => {
  const server = fakeServer();
  server.responds(listUsers, [ada, bob]);
  function PickerThenScreen() {
    const [opened, open] = useReducer(() => true, false);
    return opened ? <UsersScreen /> : <Picker onOpen={open} />;
  }
  function Picker({ onOpen }: { onOpen: () => void }) {
    const users = useUsers();
    return (
      <button type="button" onClick={onOpen}>
        {users.data?.length} users
      </button>
    );
  }
  show(<PickerThenScreen />);
  const open = await screen.findByRole('button', { name: '2 users' });

  server.responds(listUsers, [ada, { ...bob, lockedUntil: minutesAway(10) }]);
  await userEvent.click(open);

  await screen.findByText('bob');
  expect(await within(findRow('bob')).findByText('Locked')).toBeVisible();
  expect(server.times(listUsers)).toBe(2);
});

test.each([
  {
    state: 'Locked',
    user: { active: false, lockedUntil: minutesAway(5) },
    unlock: true,
    toggle: 'Activate User (allow login)',
  },
  {
    state: 'Inactive',
    user: { active: false, lockedUntil: minutesAway(-5) },
    unlock: false,
    toggle: 'Activate User (allow login)',
  },
  { state: 'Active', user: { active: true }, unlock: false, toggle: 'Deactivate User (prevent login)' },
])('a $state account shows its state and actions', async ({ state, user, unlock, toggle }) => {
  await openUsers([ada, { ...bob, ...user }]);

  expect(within(findRow('bob')).getByRole('cell', { name: state })).toBeVisible();
  expect(
    within(findRow('bob'))
      .queryAllByRole('button')
      .map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Edit user', 'Reset password', ...(unlock ? ['Unlock account'] : []), toggle, 'Delete user']);
});

test('buttons are described by the user of their row', async () => {
  await openUsers();
  expect(screen.getByRole('row', { name: /^bob bob@example.com/ })).toBe(findRow('bob'));
  expect(screen.getByRole('row', { name: /^ada You ada@example.com/ })).toBe(findRow('ada'));
  expect(action('bob', 'Edit user')).toHaveAccessibleDescription('bob');
});

test('a lock that expires while the page is open is no longer shown', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openUsers([ada, { ...bob, lockedUntil: minutesAway(15) }]);
  expect(within(findRow('bob')).getByText('Locked')).toBeVisible();
  expect(action('bob', 'Unlock account')).toBeVisible();

  act(() => vi.advanceTimersByTime(15 * 60_000));

  expect(within(findRow('bob')).getByText('Active')).toBeVisible();
  expect(within(findRow('bob')).queryByRole('button', { name: 'Unlock account' })).toBeNull();
});

test('the search matches username, e-mail and full name', async () => {
  await openUsers([ada, bob, aUser({ username: 'cleo', email: 'queen@nile.example', fullName: 'Cleopatra' })]);

  await userEvent.type(search(), 'BOB');
  expect(usernames()).toEqual(['bob']);
  await userEvent.clear(search());
  await userEvent.type(search(), 'nile');
  expect(usernames()).toEqual(['cleo']);
  await userEvent.clear(search());
  await userEvent.type(search(), 'lovelace');
  expect(usernames()).toEqual(['ada']);
});

test('role and status filter the list', async () => {
  await openUsers([
    ada,
    bob,
    aUser({ username: 'cleo', role: 'manager', active: false }),
    aUser({ username: 'dan', lockedUntil: minutesAway(5) }),
  ]);
  const options = (name: string) =>
    within(screen.getByRole('combobox', { name }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(options('Filter by role')).toEqual(['All Roles', 'Admin', 'Manager', 'User']);
  expect(options('Filter by status')).toEqual(['All Statuses', 'Active', 'Inactive', 'Locked']);

  await choose('Filter by role', 'User');
  expect(usernames()).toEqual(['bob', 'dan']);
  await choose('Filter by status', 'Locked');
  expect(usernames()).toEqual(['dan']);
  await choose('Filter by role', 'All Roles');
  await choose('Filter by status', 'Inactive');
  expect(usernames()).toEqual(['cleo']);
  await choose('Filter by status', 'Active');
  expect(usernames()).toEqual(['ada', 'bob']);
});

test('without a match a button clears the filters', async () => {
  await openUsers();
  await userEvent.type(search(), 'nobody');
  await choose('Filter by role', 'Manager');

  expect(screen.getByRole('status')).toHaveTextContent('No users found matching your search.');
  expect(screen.queryByRole('table')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));

  expect(usernames()).toEqual(['ada', 'bob']);
  expect(search()).toHaveValue('');
  expect(search()).toHaveFocus();
});

test('a page has ten users', async () => {
  await openUsers(buildUsers(23));
  const previous = screen.getByRole('button', { name: 'Previous' });
  const next = screen.getByRole('button', { name: 'Next' });

  expect(screen.getByText('Showing 1 to 10 of 23 users')).toBeVisible();
  expect(screen.getByText('Page 1 of 3')).toBeVisible();
  expect(previous).toBeDisabled();
  await userEvent.click(next);
  await userEvent.click(next);

  expect(usernames()).toEqual(['user-21', 'user-22', 'user-23']);
  expect(screen.getByText('Showing 21 to 23 of 23 users')).toBeVisible();
  expect(screen.getByText('Page 3 of 3')).toBeVisible();
  expect(next).toBeDisabled();
  // Next had the focus and is disabled now.
  expect(screen.getByText('Page 3 of 3')).toHaveFocus();
  await userEvent.click(previous);
  expect(screen.getByText('Showing 11 to 20 of 23 users')).toBeVisible();
});

test.each([
  { what: 'a search', change: () => userEvent.type(search(), 'user') },
  { what: 'a role', change: () => choose('Filter by role', 'User') },
  { what: 'a status', change: () => choose('Filter by status', 'Active') },
])('$what opens the first page', async ({ change }) => {
  await openUsers(buildUsers(23));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByText('Page 2 of 3')).toBeVisible();

  await change();

  expect(screen.getByText('Page 1 of 3')).toBeVisible();
});

test('a page that no longer exists is replaced by the one before it, also when it exists again', async () => {
  const users = buildUsers(11);
  const { server, queries } = await openUsers(users);
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));

  server.responds(listUsers, users.slice(0, 10));
  await act(() => queries.invalidateQueries());
  await waitFor(() => expect(screen.getByText('Page 1 of 1')).toBeVisible());
  server.responds(listUsers, users);
  await act(() => queries.invalidateQueries());

  await waitFor(() => expect(screen.getByText('Page 1 of 2')).toBeVisible());
});

describe('the URL', () => {
  const path = () => window.location.search;

  test('restores search, role, status and page', async () => {
    window.history.replaceState(null, '', '/users?q=user&role=user&status=active&page=2');
    await openUsers(buildUsers(23));
    expect(search()).toHaveValue('user');
    expect(screen.getByRole('combobox', { name: 'Filter by role' })).toHaveValue('user');
    expect(screen.getByRole('combobox', { name: 'Filter by status' })).toHaveValue('active');
    expect(screen.getByText('Page 2 of 3')).toBeVisible();
  });

  test('makes each filter, each typed search and each page a step that Back undoes', async () => {
    await openUsers(buildUsers(23));
    await userEvent.type(search(), 'user');
    await choose('Filter by role', 'User');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(path()).toBe('?q=user&role=user&page=2');

    window.history.back();
    await waitFor(() => expect(screen.getByText('Page 1 of 3')).toBeVisible());
    window.history.back();
    await waitFor(() => expect(path()).toBe('?q=user'));
    expect(screen.getByRole('combobox', { name: 'Filter by role' })).toHaveValue('all');
    window.history.back();
    await waitFor(() => expect(search()).toHaveValue(''));
    expect(path()).toBe('');
  });
});
