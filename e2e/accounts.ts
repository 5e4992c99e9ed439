import type { Page } from '@playwright/test';
import { getUser, login, register } from '#contract/auth/auth.calls.ts';
import type { AnyCall, Input, ResponseBody } from '#contract/call.ts';
import { buildPath } from '#contract/call.ts';
import type { Role } from '#contract/users/user.ts';
import { createUser } from '#contract/users/users.calls.ts';

export interface Account {
  id: number;
  username: string;
  email: string;
  fullName: string;
  password: string;
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;

const ADMIN = { username: 'admin1', email: 'admin1@example.org', fullName: 'Ada Admin', password: 'Password-1' };

/** Registers the first administrator of a new product. */
export async function registerAdmin(url: string) {
  const sendAsAdmin = createSender(url);
  await sendAsAdmin(register, { body: ADMIN });
  return { sendAsAdmin };
}

/** The first administrator of a product on prepared data, who creates the other accounts. */
export async function createAccounts(url: string) {
  let count = 1;
  const sendAsAdmin = createSender(url);
  const admin: Account = { ...(await sendAsAdmin(getUser)), password: ADMIN.password };

  return {
    admin,
    sendAsAdmin,
    /** An account that no other story uses. */
    async create(role: Role = 'user', fullName?: string): Promise<Account> {
      const body = { ...newAccount(role), ...(fullName && { fullName }), role };
      return { ...(await sendAsAdmin(createUser, { body })), password: body.password };
    },
    /** Signs in without the form, for stories that are not about signing in. */
    async signIn(page: Page, { username, password }: Account): Promise<void> {
      // A pending response to the previous user would end the new session.
      if (page.url() !== 'about:blank') await page.goto('about:blank');
      const response = await page.request.post(new URL(login.path, url).href, { data: { username, password } });
      if (!response.ok()) throw new Error(`sign-in failed with ${response.status()}: ${await response.text()}`);
    },
  };

  function newAccount(role: Role) {
    count += 1;
    const username = `${role}${count}`;
    return { username, email: `${username}@example.org`, fullName: `Person ${count}`, password: `Password-${count}` };
  }
}

/** Sends calls as the first administrator, without a browser. */
function createSender(url: string) {
  let cookie = '';

  return async <C extends AnyCall>(call: C, input: Input<C> = {}): Promise<ResponseBody<C>> => {
    let response = await send(call, input);
    if (response.status === 401) {
      // Not signed in yet; or stories that sign in as the administrator have ended this session: a user has at most ten.
      await send(login, { body: { username: ADMIN.username, password: ADMIN.password } });
      response = await send(call, input);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${call.method} ${call.path} failed with ${response.status}: ${text}`);
    return call.response.parse(text ? JSON.parse(text) : undefined) as ResponseBody<C>;
  };

  async function send<C extends AnyCall>(call: C, input: Input<C>): Promise<Response> {
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
