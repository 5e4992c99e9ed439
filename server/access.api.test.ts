import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as auth from '#contract/auth/auth.calls.ts';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import * as users from '#contract/users/users.calls.ts';
import { type Person, type TestApp, testApp } from '#server/testing.ts';

type Who = 'anonymous' | 'user' | 'manager' | 'admin';
const EVERYONE: Who[] = ['anonymous', 'user', 'manager', 'admin'];
const open = { anonymous: 'through', user: 'through', manager: 'through', admin: 'through' } as const;
const signedIn = { ...open, anonymous: 401 } as const;
const adminsOnly = { anonymous: 401, user: 403, manager: 403, admin: 'through' } as const;

/** Who gets past the gate of each call. A call that is missing here fails the test below. */
const TABLE: [AnyCall, Record<Who, 'through' | 401 | 403>][] = [
  [auth.getUser, signedIn],
  [auth.login, open],
  [auth.register, { anonymous: 403, user: 403, manager: 403, admin: 403 }],
  [auth.logout, open],
  [auth.forgotPassword, open],
  [auth.verifyResetToken, open],
  [auth.resetPassword, open],
  [auth.getSetup, open],
  [auth.getSettings, signedIn],
  [users.listUsers, adminsOnly],
  [users.createUser, adminsOnly],
  [users.changeUser, adminsOnly],
  [users.setUserPassword, adminsOnly],
  [users.unlockUser, adminsOnly],
  [users.setUserActive, adminsOnly],
  [users.deleteUser, adminsOnly],
];

let t: TestApp;
const people = {} as Record<Who, Person | null>;
beforeAll(async () => {
  t = await testApp();
  for (const who of EVERYONE) people[who] = who === 'anonymous' ? null : await t.person(who);
});
afterAll(() => t.close());

test('every call of the contract is in the table and mounted, and nothing else is', () => {
  const name = ({ method, path }: AnyCall) => `${method} ${path}`;
  const inTable = TABLE.map(([call]) => name(call)).sort();
  expect(inTable).toEqual(Object.values(CALLS).flat().map(name).sort());
  const byHand = ['GET /api/docs', 'GET /api/openapi.json'];
  expect(t.app.http.apiRoutes.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(
    [...inTable, ...byHand].sort(),
  );
});

/** Everything that a refused call might have touched. The audit is left out: it writes the refusal down. */
const everything = async () => {
  const { rows } = await t.db.execute(sql`select
    (select json_agg(u order by id) from users u)::text as users,
    (select json_agg(p order by id) from password_reset_tokens p)::text as tokens,
    (select json_agg(o order by id) from mail_outbox o)::text as mails,
    (select json_agg(s.id order by id) from sessions s)::text as sessions`);
  return rows;
};

describe.each(TABLE.map(([call, expected]) => ({ name: `${call.method} ${call.path}`, call, expected })))(
  '$name',
  ({ call, expected }) => {
    test.each(EVERYONE)('%s', async (who) => {
      const target = await t.person();
      // A nonsense body: whoever may call is told so with 400, everybody else must not learn that anyone looked.
      const params = { id: target.id, token: 'nonsense' };
      const body = { nonsense: true } as never;
      const before = await everything();
      const caller = call === auth.logout && people[who] ? await t.person(people[who].role) : people[who];
      const afterSetup = call === auth.logout ? undefined : before;

      const answer = await t.ask(caller, call, call.method === 'GET' ? { params } : { params, body });

      const wanted = expected[who];
      if (wanted === 'through') expect([401, 403]).not.toContain(answer.status);
      else {
        expect(answer.status).toBe(wanted);
        expect(answer.body).not.toHaveProperty('errors');
        expect(await everything()).toEqual(afterSetup);
      }
    });
  },
);

test.each(['/api/docs', '/api/openapi.json'])('%s is for signed-in users', async (url) => {
  expect((await t.inject({ url })).statusCode).toBe(401);
  const answer = await t.inject({ url, headers: { cookie: people.user?.cookie ?? '' } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).toContain('/api/users/{id}/set-active-status');
});

test('the API document is OpenAPI 3.1 and describes every call', async () => {
  const document = (
    await t.inject({ url: '/api/openapi.json', headers: { cookie: people.user?.cookie ?? '' } })
  ).json();
  expect(document.openapi).toBe('3.1.0');
  for (const call of Object.values(CALLS).flat()) {
    const described = document.paths[call.path.replace(/:(\w+)/g, '{$1}')][call.method.toLowerCase()];
    expect(described).toMatchObject({ summary: call.summary, 'x-access': call.access });
    expect(described.responses).toHaveProperty(String(call.success));
  }
  expect(document.paths['/api/login'].post.requestBody.content['application/json'].schema.properties).toHaveProperty(
    'password',
  );
});

test('a refused call is written down', async () => {
  await t.ask(people.user ?? null, users.listUsers);
  await expect
    .poll(async () => {
      const { rows } = await t.db.execute(sql`select details from audit_events
        where event = 'call_refused' and actor_id = ${people.user?.id} order by id desc limit 1`);
      return rows[0]?.details;
    })
    .toEqual({ code: 'forbidden', route: '/api/users', method: 'GET' });
});
