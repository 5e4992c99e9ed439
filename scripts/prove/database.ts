import { setTimeout as wait } from 'node:timers/promises';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { openPool } from '../measure/database.ts';
import { postmasterId, signalTree } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import { createAdmin, createLeads, createUsers, type User } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { openEventStream } from './event-stream.ts';
import type { Checks, Proof } from './proof.ts';
import { requirePostgres } from './servers.ts';
import { countFailures, startWorkload, type Workload } from './workload.ts';

const USERS = 20;
/** The longest wait for a refusal, and for service after the database is back; with a margin for a busy machine. */
const LIMIT_MS = 5_000 + 1_500;

export const database: Proof = {
  description: 'PostgreSQL restarted, crashed and frozen under load. database [seconds=30]',
  run: ([seconds = '30'], checks) =>
    withCleanup(async (defer) => {
      const postgres = await requirePostgres(defer);
      const product = await startProduct(defer, { env: { DATABASE_URL: postgres.url } });
      const client = createClient(product.url);
      const pool = openPool(defer, postgres.url);
      const admin = await createAdmin(pool);
      const users = await createUsers(pool, USERS);
      const [listener] = users as [User];
      const signal = (name: NodeJS.Signals) => signalTree(postmasterId(`${postgres.folder}/data`), name);
      const outages = [
        { name: 'restarted', begin: () => postgres.shutDown('fast'), end: postgres.start },
        { name: 'crashed', begin: () => postgres.shutDown('immediate'), end: postgres.start },
        { name: 'frozen', begin: () => signal('SIGSTOP'), end: () => signal('SIGCONT') },
      ];
      for (const { name, begin, end } of outages) {
        await withCleanup(async (release) => {
          const workload = await startWorkload(release, product.url, pool, users);
          await wait(2_000);
          const began = workload.elapsed();
          await begin();
          await wait(1000 * Number(seconds));
          const [ready, healthy] = [await client.get('/readyz'), await client.get('/healthz')];
          const reported = ready.status === 503 && healthy.status === 200;
          checks.check(`${name}: /readyz returns 503, /healthz 200`, reported, `${ready.status}, ${healthy.status}`);
          await end();
          const ended = workload.elapsed();
          await wait(LIMIT_MS + 2_000);
          await workload.stop();
          checkRefusals(name, workload, began, ended, checks);
          await workload.checkStored(name, checks);
          const over = new AbortController();
          release(() => over.abort());
          const events = await openEventStream(product.url, listener.cookie, over.signal);
          const [id = 0] = await createLeads(pool, [admin]);
          await client.call(reassignLead.byId, { params: { id }, body: { newUserId: listener.id } }, admin);
          checks.check(`${name}: open pages receive events again`, await waitUntil(() => events() > 0, LIMIT_MS));
        });
      }
      const unexpected = product.errors().filter((line) => /unexpected|unhandled|uncaught/.test(line));
      checks.check('the log has no unexpected error', !unexpected.length, unexpected[0]);
    }),
};

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
