import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser } from '#contract/auth/auth.calls.ts';
import { runOnTestServer } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let user: TestUser;
let name: string;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  user = await t.user();
  const { rows } = await t.db.execute<{ name: string }>(sql`select current_database() as name`);
  name = rows[0]?.name ?? '';
});
afterAll(() => t.close());

const endConnections = () =>
  runOnTestServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);

test.each([
  {
    state: 'allows no connections',
    refuse: () => `alter database ${name} allow_connections false`,
    accept: () => `alter database ${name} allow_connections true`,
  },
  {
    state: 'was renamed',
    refuse: () => `alter database ${name} rename to ${name}_renamed`,
    accept: () => `alter database ${name}_renamed rename to ${name}`,
  },
])(
  'a database that $state is reported as unavailable, and requests work again afterwards',
  async ({ refuse, accept }) => {
    await endConnections();
    await runOnTestServer(refuse());
    await endConnections();

    const refused = await t.request(user, getUser);
    await runOnTestServer(accept());

    expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    await expect.poll(async () => (await t.request(user, getUser)).status, { timeout: 5_000 }).toBe(200);
  },
);
