import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { openPool } from '../measure/database.ts';
import { freePort, startProduct } from '../measure/product.ts';
import { createAdmin, createLeads, createUsers, type User } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { startPostgres } from '../testing/postgres.ts';
import { openEventStream } from './event-stream.ts';
import type { Checks, Proof } from './proof.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { countFailures, startWorkload, type Workload } from './workload.ts';

const USERS = 20;
/** The longest wait for a refusal, and for service after the database is back; with a margin for a busy machine. */
const LIMIT_MS = 5_000 + 1_500;

interface Outage {
  name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

export const database: Proof = {
  description: 'PostgreSQL restarted, crashed, cut off, silent, refusing connections, read-only. database [seconds=30]',
  run: ([seconds = '30'], checks) =>
    withCleanup(async (defer) => {
      const postgres = await startPostgres();
      if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
      defer(postgres.stop);
      const port = await freePort();
      const proxy = await startTcpProxy(port, `${postgres.folder}/.s.PGSQL.5432`);
      defer(proxy.cut);
      const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` };
      const product = await startProduct(defer, { env });
      const client = createClient(product.url);
      const status = async (path: string) => (await client.get(path)).status;
      const pool = openPool(defer, postgres.url);
      const admin = await createAdmin(pool);
      const users = await createUsers(pool, USERS);
      const [listener] = users as [User];

      for (const { name, begin, end } of listOutages(postgres, proxy)) {
        await withCleanup(async (release) => {
          const stream = openEventStream(release, product.url, listener.cookie);
          const workload = await startWorkload(release, product.url, pool, users);
          await wait(2_000);
          const began = workload.elapsed();
          await begin();
          await wait(1000 * Number(seconds));
          const healthy = (await status('/readyz')) === 503 && (await status('/healthz')) === 200;
          // A read-only server answers, so the product stays ready.
          if (name !== 'read-only') checks.check(`${name}: /readyz returns 503, /healthz 200`, healthy);
          await end();
          const ended = workload.elapsed();
          await wait(LIMIT_MS + 2_000);
          await workload.stop();
          checkRefusals(name, workload, began, ended, checks);
          await workload.checkStored(name, checks);
          const [id = 0] = await createLeads(pool, [admin]);
          const before = stream.events();
          await client.call(reassignLead.byId, { params: { id }, body: { newUserId: listener.id } }, admin);
          const received = await waitUntil(() => stream.events() > before, LIMIT_MS);
          checks.check(`${name}: open pages receive events again`, received);
        });
      }
      const unexpected = product.errors().filter((line) => /unexpected|unhandled|uncaught/.test(line));
      checks.check('the log has no unexpected error', !unexpected.length, unexpected[0]);
    }),
};

type Postgres = NonNullable<Awaited<ReturnType<typeof startPostgres>>>;
type Proxy = Awaited<ReturnType<typeof startTcpProxy>>;

function listOutages(postgres: Postgres, proxy: Proxy): Outage[] {
  // Not the product's database, which may refuse connections.
  const connectionString = Object.assign(new URL(postgres.url), { pathname: '/template1' }).href;
  const execute = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const standbySignal = `${postgres.folder}/data/standby.signal`;
  const restartAs = async (change: () => void) => {
    await postgres.halt('properly');
    change();
    await postgres.start();
  };
  return [
    { name: 'restarted', begin: () => postgres.halt('properly'), end: postgres.start },
    { name: 'crashed', begin: () => postgres.halt('by a crash'), end: postgres.start },
    { name: 'cut off', begin: async () => proxy.cut(), end: proxy.restore },
    { name: 'silent', begin: async () => proxy.freeze(), end: proxy.restore },
    {
      name: 'refusing connections',
      begin: () =>
        execute(
          'alter database postgres allow_connections false',
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'",
        ),
      end: () => execute('alter database postgres allow_connections true'),
    },
    {
      name: 'read-only',
      begin: () => restartAs(() => writeFileSync(standbySignal, '')),
      end: () => restartAs(() => rmSync(standbySignal)),
    },
  ];
}

function checkRefusals(name: string, { failures }: Workload, began: number, ended: number, checks: Checks) {
  const unexpected = failures.filter(
    ({ status, code, at }) => status !== 503 || code !== 'database_unavailable' || at < began,
  );
  checks.check(
    `${name}: ${failures.length} requests were refused, all as database_unavailable and none before`,
    !unexpected.length && failures.length > 0,
    countFailures(unexpected),
  );
  const slowest = Math.max(0, ...failures.map(({ ms }) => ms));
  checks.check(`${name}: every refusal came within 5 s`, slowest < LIMIT_MS, `${slowest.toFixed(0)} ms`);
  const last = Math.max(0, ...failures.map(({ at }) => at)) - ended;
  checks.check(`${name}: service was back within 5 s`, last < LIMIT_MS, `last refusal after ${last.toFixed(0)} ms`);
}
