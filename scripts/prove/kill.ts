import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { openPool } from '../measure/database.ts';
import { postmasterId } from '../measure/processes.ts';
import { freePort, startProduct } from '../measure/product.ts';
import { formatRange } from '../measure/statistics.ts';
import { createUsers } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import type { Checks, Proof } from './proof.ts';
import { countFailures, startWorkload } from './workload.ts';

const USERS = 8;
const READY_MS = 3_000;

export const kill: Proof = {
  description: 'kill -9 of the product and of its PostgreSQL under load. kill [rounds=20]',
  async run([rounds = '20'], checks) {
    for (const victim of ['product', 'database'] as const) await killRepeatedly(victim, Number(rounds), checks);
  },
};

const killRepeatedly = (victim: 'product' | 'database', rounds: number, checks: Checks) =>
  withCleanup(async (defer) => {
    const options = { dataDir: join(temporaryFolder(defer), 'data'), port: await freePort() };
    let product = await startProduct(defer, options);
    const pool = openPool(defer, product.databaseUrl);
    const workload = await startWorkload(defer, product.url, pool, await createUsers(pool, USERS));
    const client = createClient(product.url);
    const readiness = async () => (await client.get('/readyz')).status;
    const readyAfter: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await wait(400 + 600 * Math.random());
      const started = performance.now();
      if (victim === 'product') {
        await product.kill();
        product = await startProduct(defer, options);
      } else {
        process.kill(postmasterId(clusterFolder(options.dataDir)), 'SIGKILL');
        await waitUntil(async () => (await readiness()) === 503, 1_000, 5);
        await waitUntil(async () => (await readiness()) === 200, 10_000, 10);
      }
      readyAfter.push(performance.now() - started);
    }
    await wait(1_000);
    await workload.stop();
    const slowest = Math.max(...readyAfter);
    checks.check(`${victim}: ready within 3 s each time`, slowest < READY_MS, `${formatRange(readyAfter)} ms`);
    await workload.checkStored(victim, checks);
    const unexpected = workload.failures.filter(({ status }) => status !== 503 && status !== 0);
    checks.check(`${victim}: every refusal meanwhile was a 503`, !unexpected.length, countFailures(unexpected));
  });
