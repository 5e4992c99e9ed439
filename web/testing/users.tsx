import { configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { listUsersWithCodes } from '#contract/account/codes.calls.ts';
import { type Invitation, listInvitations } from '#contract/account/invitations.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listUsersWithSso } from '#contract/auth/sso.calls.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { UsersScreen } from '#web/users/UsersScreen.tsx';
import { fakeServer } from './fake-server.ts';
import { ada, bob, SETTINGS } from './fixtures.ts';
import { show } from './show.tsx';

// These tests render many rows, which is slow on a loaded machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

export const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

type OpenedScreen = ReturnType<typeof show> & { server: ReturnType<typeof fakeServer> };

/** Opens the screen as ada, on a server with these users. */
export async function openUsers(
  users: ManagedUser[] = [ada, bob],
  invitations: Invitation[] = [],
): Promise<OpenedScreen> {
  const server = fakeServer();
  server.responds(listInvitations, invitations);
  server.responds(listUsers, users);
  server.responds(listUsersWithCodes, []);
  server.responds(listUsersWithSso, []);
  server.responds(getSettings, SETTINGS);
  const view = showUsers();
  await screen.findByText(/^Showing /);
  return { server, ...view };
}

export const showUsers = () => show(<UsersScreen />);

export function findRow(username: string): HTMLElement {
  const row = screen.getByText(username).closest('tr');
  if (!row) throw new Error(`${username} is not in a row`);
  return row;
}

/** The usernames of the rows, from top to bottom. */
export const usernames = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.firstChild?.textContent);

export const action = (username: string, name: string | RegExp) =>
  within(findRow(username)).getByRole('button', { name });

export const press = (username: string, name: string | RegExp) => userEvent.click(action(username, name));

export const openCreate = () => userEvent.click(screen.getByRole('button', { name: 'Add User' }));

/** Replaces the values of fields in the open dialog, by label. */
export async function fill(texts: Record<string, string>) {
  const dialog = within(screen.getByRole('dialog'));
  for (const [label, text] of Object.entries(texts)) {
    await userEvent.clear(dialog.getByLabelText(label));
    if (text) await userEvent.paste(text);
  }
}

export const submit = (name: string) =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));

/** The error message of a field. */
export function errorOn(label: string) {
  const field = within(screen.getByRole('dialog')).getByLabelText(label);
  const [id] = (field.getAttribute('aria-describedby') ?? '').split(' ');
  return field.getAttribute('aria-invalid') === 'true' ? document.getElementById(id ?? '')?.textContent : undefined;
}
