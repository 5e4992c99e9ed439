import type { Page } from '@playwright/test';
import { login, register } from '#contract/auth/auth.calls.ts';
import type { AnyCall, Input, ResponseBody } from '#contract/call.ts';
import { buildPath } from '#contract/call.ts';
import type { Role } from '#contract/users/user.ts';
import { createUser } from '#contract/users/users.calls.ts';

export interface Person {
  id: number;
  username: string;
  email: string;
  fullName: string;
  password: string;
}

export type People = Awaited<ReturnType<typeof createPeople>>;

/** The first administrator, and whoever else a story needs. */
export async function createPeople(url: string) {
  let cookie = '';
  let count = 0;
  const admin = await (async (): Promise<Person> => {
    const body = { ...account('admin'), fullName: 'Ada Admin' };
    return { ...(await ask(register, { body })), password: body.password };
  })();

  return {
    admin,
    /** Anything else, asked as the administrator. */
    ask,
    /** A new account that no other story knows. */
    async person(role: Role = 'user', fullName?: string): Promise<Person> {
      const body = { ...account(role), ...(fullName && { fullName }), role };
      return { ...(await ask(createUser, { body })), password: body.password };
    },
    /** Signs in without the screen, for stories that are about something else. */
    async signIn(page: Page, { username, password }: Person): Promise<void> {
      // A response to the user before, still under way, would end the new session.
      if (page.url() !== 'about:blank') await page.goto('about:blank');
      const response = await page.request.post(new URL(login.path, url).href, { data: { username, password } });
      if (!response.ok()) throw new Error(`signing in answered ${response.status()}: ${await response.text()}`);
    },
  };

  function account(role: Role) {
    count += 1;
    const username = `${role}${count}`;
    return { username, email: `${username}@example.org`, fullName: `Person ${count}`, password: `Password-${count}` };
  }

  async function ask<C extends AnyCall>(call: C, input: Input<C> = {}): Promise<ResponseBody<C>> {
    let response = await request(call, input);
    if (response.status === 401) {
      // A user has at most ten sessions: enough stories that sign in as the administrator have ended this one.
      await request(login, { body: { username: admin.username, password: admin.password } });
      response = await request(call, input);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${call.method} ${call.path} answered ${response.status}: ${text}`);
    return call.response.parse(text ? JSON.parse(text) : undefined) as ResponseBody<C>;
  }

  async function request<C extends AnyCall>(call: C, input: Input<C>): Promise<Response> {
    const response = await fetch(new URL(buildPath(call, input), url), {
      method: call.method,
      headers: { cookie, ...(input.body !== undefined && { 'content-type': 'application/json' }) },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    });
    const [session] = response.headers.getSetCookie();
    if (session) cookie = session.split(';')[0] ?? '';
    return response;
  }
}
