import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Defer, withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { freePort, type Product, startProduct } from '../measure/product.ts';
import { createUsers } from '../measure/users.ts';
import { at } from '../setup/paths.mjs';
import type { Proof } from './proof.ts';
import { requirePostgres, startNginx, startPgBouncer } from './servers.ts';
import { countFailures, startWorkload } from './workload.ts';

const PROCESSES = 4;
/** `fail_timeout` of nginx: a process that has failed gets no requests for so long. */
const FAIL_TIMEOUT_MS = 5_000;
/** `default_pool_size` of PgBouncer, and one direct connection for each process. */
const MAX_CONNECTIONS = 20 + PROCESSES;

export const scaleOut: Proof = {
  description:
    'Four processes behind nginx and PgBouncer: restarts in turn and a killed process under load. scale-out [users=20]',
  run: ([userCount = '20'], checks) =>
    withCleanup(async (defer) => {
      const { products, url, pool, start } = await startCluster(defer);
      const migrating = products.filter((product) =>
        product.log().some((line) => line.includes('schema was migrated')),
      );
      checks.check('four start together on an empty database, and one migrates it', migrating.length === 1);
      const users = await createUsers(pool, Number(userCount));

      const restarts = await startWorkload(defer, url, pool, users);
      const exitCodes: (number | null)[] = [];
      for (const [nth, product] of products.entries()) {
        exitCodes.push(await product.stop());
        products[nth] = await start(product.port);
        await wait(FAIL_TIMEOUT_MS);
      }
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = 'highstreet' and application_name <> 'proof'`,
      );
      const connections = rows[0]?.count ?? 0;
      await restarts.stop();
      const clean = exitCodes.every((code) => code === 0);
      checks.check('restarts in turn: each process exits with 0', clean, exitCodes.join());
      checks.check(
        `restarts in turn: none of ${restarts.requests()} requests failed`,
        !restarts.failures.length,
        countFailures(restarts.failures),
      );
      await restarts.checkStored('restarts in turn', checks);
      checks.check('connections stay within the documented limit', connections <= MAX_CONNECTIONS, `${connections}`);

      const killed = await startWorkload(defer, url, pool, users);
      await wait(2_000);
      const [victim] = products as [Product];
      await victim.kill();
      const killedAt = killed.elapsed();
      await wait(FAIL_TIMEOUT_MS);
      products[0] = await start(victim.port);
      await wait(FAIL_TIMEOUT_MS);
      await killed.stop();
      const unexpected = killed.failures.filter(
        ({ status, at: failedAt }) => status !== 502 || failedAt > killedAt + 3_000,
      );
      checks.check(
        'one process killed: only its requests in progress fail, with 502',
        !unexpected.length && killed.failures.length <= users.length,
        countFailures(killed.failures),
      );
      await killed.checkStored('one process killed', checks);
      const errors = products.flatMap((product) => product.errors());
      checks.check('no process logged an error', !errors.length, errors[0]);
    }),
};

/** All from the documented files. The server's own time zone is wrong, so that the documented settings have to correct it. */
async function startCluster(defer: Defer) {
  const postgres = await requirePostgres(defer, ['timezone=Asia/Tokyo']);
  await openPool(defer, postgres.url).query('create database highstreet');
  const direct = Object.assign(new URL(postgres.url), { pathname: '/highstreet' }).href;
  const pool = openPool(defer, `${direct}&application_name=proof`);
  await pool.query(readFileSync(at('docs/scaling/settings.sql'), 'utf8'));
  const [poolerPort, port] = [await freePort(), await freePort()];
  await startPgBouncer(defer, poolerPort, postgres.folder);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    APP_URL: url,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${poolerPort}/highstreet`,
    DATABASE_DIRECT_URL: direct,
    TRUST_PROXY: '1',
  };
  const start = (productPort: number) => startProduct(defer, { port: productPort, env });
  const ports: number[] = [];
  while (ports.length < PROCESSES) ports.push(await freePort());
  const products = await Promise.all(ports.map(start));
  await startNginx(defer, port, ports);
  return { url, pool, products, start };
}
