import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { createUser, listUsers } from '#contract/users/users.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { ada, aUser, bob } from '#web/testing/fixtures.ts';
import { dismissToast } from '#web/testing/show.tsx';
import { errorOn, fill, findRow, openCreate, openUsers, submit } from '#web/testing/users.tsx';

const cleo = aUser({ username: 'cleo', email: 'cleo@nile.example', fullName: 'Cleopatra', role: 'manager' });
const values = { Username: 'cleo', Email: 'cleo@nile.example', 'Full Name': 'Cleopatra', Password: 'asps & figs' };

async function openFilled(further: Record<string, string> = {}) {
  const opened = await openUsers();
  await openCreate();
  await fill({ ...values, ...further });
  return opened;
}

test('an account is created, and appears in the list', async () => {
  const { server, toasts } = await openFilled({ 'Monthly Goal': '120' });
  expect(screen.getByRole('dialog', { name: 'Create New User' })).toHaveAccessibleDescription(
    'All fields are required.',
  );
  server.responds(createUser, cleo);
  server.responds(listUsers, [ada, bob, cleo]);
  await userEvent.selectOptions(within(screen.getByRole('dialog')).getByLabelText('Role'), 'Manager');
  await submit('Create User');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(findRow('cleo')).toBeVisible());
  expect(toasts).toEqual(['User Created']);
  expect(server.last(createUser)?.body).toEqual({
    username: 'cleo',
    email: 'cleo@nile.example',
    fullName: 'Cleopatra',
    password: 'asps & figs',
    role: 'manager',
    monthlyGoal: 120,
  });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add User' })).toHaveFocus());
});

test('the defaults are the role user and a goal of 100', async () => {
  await openUsers();
  await openCreate();
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByLabelText('Username')).toHaveFocus();
  expect(dialog.getByLabelText('Role')).toHaveValue('user');
  expect(dialog.getByLabelText('Monthly Goal')).toHaveValue('100');
});

test('an empty goal is 100', async () => {
  const { server } = await openFilled({ 'Monthly Goal': '' });
  server.responds(createUser, cleo);
  await submit('Create User');
  await waitFor(() => expect(server.last(createUser)?.body).toMatchObject({ role: 'user', monthlyGoal: 100 }));
});

test.each([
  { label: 'Username', text: '', message: 'Username must be at least 3 characters' },
  { label: 'Username', text: 'ab', message: 'Username must be at least 3 characters' },
  {
    label: 'Username',
    text: 'a b c',
    message: 'Username may contain only letters, digits, dots, underscores and hyphens',
  },
  { label: 'Email', text: '', message: 'Must be a valid email' },
  { label: 'Email', text: 'cleo@', message: 'Must be a valid email' },
  { label: 'Full Name', text: 'C', message: 'Full name must be at least 2 characters' },
  { label: 'Password', text: 'seven77', message: 'Password must be at least 8 characters' },
  { label: 'Monthly Goal', text: 'many', message: 'Monthly goal must be a number' },
  { label: 'Monthly Goal', text: '1e3', message: 'Monthly goal must be a number' },
  { label: 'Monthly Goal', text: '0', message: 'Monthly goal must be at least 1' },
  { label: 'Monthly Goal', text: '-5', message: 'Monthly goal must be at least 1' },
  { label: 'Monthly Goal', text: '1.5', message: 'Monthly goal must be a whole number' },
])('$label "$text" is refused: $message', async ({ label, text, message }) => {
  const { server } = await openFilled({ [label]: text });
  await submit('Create User');

  await waitFor(() => expect(errorOn(label)).toBe(message));
  expect(within(screen.getByRole('dialog')).getByLabelText(label)).toHaveFocus();
  expect(server.times(createUser)).toBe(0);
});

test('every missing field has its error at once', async () => {
  await openUsers();
  await openCreate();
  await submit('Create User');

  await waitFor(() => expect(errorOn('Username')).toBe('Username must be at least 3 characters'));
  expect(errorOn('Email')).toBe('Must be a valid email');
  expect(errorOn('Full Name')).toBe('Full name must be at least 2 characters');
  expect(errorOn('Password')).toBe('Password must be at least 8 characters');
  expect(within(screen.getByRole('dialog')).getByLabelText('Username')).toHaveFocus();
});

test.each([
  { label: 'Username', code: 'duplicate_username', path: 'username', message: 'This username is already taken' },
  { label: 'Email', code: 'duplicate_email', path: 'email', message: 'This email is already in use' },
] as const)('a taken $path is shown on its field and in a toast', async ({ label, code, path, message }) => {
  const { server, toasts } = await openFilled();
  server.refuses(createUser, code, message, { errors: [{ path, message }] });
  await submit('Create User');

  await waitFor(() => expect(errorOn(label)).toBe(message));
  expect(toasts).toEqual([`Error | 409: ${message}`]);
  const dialog = within(screen.getByRole('dialog'));
  await waitFor(() => expect(dialog.getByLabelText(label)).toHaveFocus());
  for (const [field, text] of Object.entries(values)) expect(dialog.getByLabelText(field)).toHaveValue(text);
});

test.each([
  { what: 'a refusal', status: 403, text: '{"message":"Not you","code":"forbidden"}', message: '403: Not you' },
  { what: 'a failure without a message', status: 500, text: '', message: 'Failed to create user' },
  {
    what: 'an unreadable response',
    status: 201,
    text: 'OK',
    message: 'Failed to create user: Invalid server response',
  },
])('$what shows an error and keeps the typed values', async ({ status, text, message }) => {
  const { server, toasts } = await openFilled();
  server.breaks(createUser, status, text);
  await submit('Create User');

  await waitFor(() => expect(toasts).toEqual([`Error | ${message}`]));
  const dialog = within(screen.getByRole('dialog'));
  for (const [field, value] of Object.entries(values)) expect(dialog.getByLabelText(field)).toHaveValue(value);
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create User' })).toBeEnabled());
});

test('a connection error shows a toast', async () => {
  const { server, toasts } = await openFilled();
  server.vanishes(createUser);
  await submit('Create User');
  await waitFor(() => expect(toasts).toEqual(['Error | Failed to create user']));
});

test('a pending form can neither be submitted again nor closed', async () => {
  const { server } = await openFilled();
  const held = server.holds(createUser);
  await submit('Create User');

  const dialog = screen.getByRole('dialog');
  const button = await within(dialog).findByRole('button', { name: 'Creating...' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await userEvent.type(within(dialog).getByLabelText('Username'), '{Enter}');
  await userEvent.keyboard('{Escape}');
  expect(server.times(createUser)).toBe(1);
  expect(dialog).toBeVisible();

  held.respond(cleo);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.times(createUser)).toBe(1);
});

test.each(['Cancel', 'Close'])('%s sends nothing', async (name) => {
  const { server } = await openFilled();
  await submit(name);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.times(createUser)).toBe(0);
});

describe('what was typed', () => {
  const value = (label: string) =>
    (within(screen.getByRole('dialog')).getByLabelText(label) as HTMLInputElement | HTMLSelectElement).value;

  test.each(['Close', 'Escape'])('is kept on %s, without the password', async (how) => {
    const { unmount } = await openFilled();
    await userEvent.selectOptions(within(screen.getByRole('dialog')).getByLabelText('Role'), 'Manager');
    if (how === 'Close') await submit('Close');
    else await userEvent.keyboard('{Escape}');
    await openCreate();
    expect(value('Username')).toBe('cleo');
    expect(value('Role')).toBe('manager');
    expect(value('Password')).toBe('');
    expect(readDraft(ada.id, 'users.new')?.text).not.toContain('password');

    unmount();
    await openUsers();
    await openCreate();
    expect(value('Username')).toBe('cleo');
  });

  test('is announced by a toast when the screen is left', async () => {
    dismissToast();
    const { unmount } = await openFilled();
    unmount();
    expect(pageToasts.current()?.title).toBe('Draft kept');
  });

  test('is discarded by Cancel', async () => {
    await openFilled();
    await submit('Cancel');
    await openCreate();
    expect(value('Username')).toBe('');
    expect(readDraft(ada.id, 'users.new')).toBeUndefined();
  });

  test('is discarded once the account is created', async () => {
    const { server } = await openFilled();
    server.responds(createUser, cleo);
    await submit('Create User');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(readDraft(ada.id, 'users.new')).toBeUndefined();
  });
});
