import { configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { ManagedUser } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { SessionContext } from '#web/auth/session.data.ts';
import { UsersScreen } from '#web/users/UsersScreen.tsx';
import { fakeServer, show } from './fake-server.tsx';

// A busy machine takes its time; a test that fails for that alone says nothing.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

let lastId = 0;

export function aUser(given: Partial<ManagedUser> & { username: string }): ManagedUser {
  lastId += 1;
  return {
    id: lastId,
    email: `${given.username}@example.com`,
    fullName: `The ${given.username}`,
    role: 'user',
    monthlyGoal: 100,
    active: true,
    failedLoginAttempts: 0,
    lockedUntil: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}

/** The administrator who looks at the screen. */
export const ada = aUser({ username: 'ada', fullName: 'Ada Lovelace', role: 'admin' });
export const bob = aUser({ username: 'bob', fullName: 'Bob Cratchit', monthlyGoal: 80 });

export const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

type Opened = ReturnType<typeof show> & { server: ReturnType<typeof fakeServer> };

/** Opens the screen as ada, on a server that knows these users. */
export async function openUsers(users: ManagedUser[] = [ada, bob]): Promise<Opened> {
  const server = fakeServer();
  server.responds(listUsers, users);
  const view = showUsers();
  await screen.findByText(/^Showing /);
  return { server, ...view };
}

export const showUsers = () =>
  show(
    <SessionContext value={{ user: ada }}>
      <UsersScreen />
    </SessionContext>,
  );

export function rowOf(username: string): HTMLElement {
  const row = screen.getByText(username).closest('tr');
  if (!row) throw new Error(`${username} is not in a row`);
  return row;
}

/** The usernames on the page, top to bottom. */
export const usernames = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.firstChild?.textContent);

export const action = (username: string, name: string | RegExp) =>
  within(rowOf(username)).getByRole('button', { name });

export const press = (username: string, name: string | RegExp) => userEvent.click(action(username, name));

export const openCreate = () => userEvent.click(screen.getByRole('button', { name: 'Add User' }));

/** Types into the fields of the open dialog, by label, in place of what is there. */
export async function fill(texts: Record<string, string>) {
  const dialog = within(screen.getByRole('dialog'));
  for (const [label, text] of Object.entries(texts)) {
    await userEvent.clear(dialog.getByLabelText(label));
    if (text) await userEvent.paste(text);
  }
}

export const submit = (name: string) =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));

/** What is said about a field, beside its hint. */
export function errorOn(label: string) {
  const field = within(screen.getByRole('dialog')).getByLabelText(label);
  const [id] = (field.getAttribute('aria-describedby') ?? '').split(' ');
  return field.getAttribute('aria-invalid') === 'true' ? document.getElementById(id ?? '')?.textContent : undefined;
}
