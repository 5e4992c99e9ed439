import { login, register } from '#contract/auth/auth.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { createUser } from '#contract/users/users.calls.ts';
import { type Asker, sessionOf } from './asker.ts';

export const PASSWORD = 'Prove-it-1';

export interface Person {
  id: number;
  username: string;
  email: string;
  cookie: string;
}

const account = (username: string) => ({
  username,
  email: `${username}@example.test`,
  fullName: `Person ${username}`,
  password: PASSWORD,
});

/** The first administrator of an empty database, signed in; behind a proxy with the set-up code of the process. */
export async function firstAdmin(asker: Asker, setupCode?: string): Promise<Person> {
  const body = { ...account('admin'), setupCode };
  const response = await asker.ask(register, { body });
  if (response.status !== 201)
    throw new Error(`no first account: ${response.status} ${response.error ?? response.text}`);
  return { id: response.body.id, username: body.username, email: body.email, cookie: sessionOf(response) };
}

/** A new account, signed in. */
export async function newPerson(asker: Asker, admin: Person, username: string, role: Role = 'user'): Promise<Person> {
  const body = { ...account(username), role };
  const made = await asker.ask(createUser, { body }, admin);
  if (made.status !== 201) throw new Error(`no account: ${made.status} ${made.error ?? made.text}`);
  return { id: made.body.id, username, email: body.email, cookie: await signIn(asker, username) };
}

export async function signIn(asker: Asker, username: string): Promise<string> {
  const response = await asker.ask(login, { body: { username, password: PASSWORD } });
  if (response.status !== 200) throw new Error(`not signed in: ${response.status} ${response.error ?? response.text}`);
  return sessionOf(response);
}
