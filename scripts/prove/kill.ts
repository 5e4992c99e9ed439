import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { range } from '../bench/figures.ts';
import { createAsker } from './asker.ts';
import { startLoad, tally } from './load.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { freePort, startProduct } from './product.ts';
import { becomes, type Checks, type Proof, withCleanUp } from './proof.ts';
import { createRandom } from './random.ts';
import { workFor } from './scale-out-restarts.ts';

const ROUNDS = 20;
const CALLERS = 8;
const READY_MS = 3_000;

export const kill: Proof = {
  says: `kill -9 of the product and of its PostgreSQL, ${ROUNDS} times each, while ${CALLERS} callers write: nothing acknowledged is lost, and it is ready again within 3 s. kill [rounds]`,
  async run([rounds = String(ROUNDS)], checks) {
    for (const victim of ['product', 'server'] as const) {
      await withCleanUp((later) => killAgainAndAgain(victim, Number(rounds), checks, later));
    }
  },
};

async function killAgainAndAgain(
  victim: 'product' | 'server',
  rounds: number,
  checks: Checks,
  later: (undo: () => unknown) => void,
) {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-kill-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  const wanted = { dataDir: join(folder, 'data'), port: await freePort() };
  let product = await startProduct(wanted);
  later(() => product.stop());
  const asker = createAsker(product.url, 50);
  later(asker.close);
  const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: product.databaseUrl });
    await client.connect();
    const { rows } = await client.query<T>(text, values).finally(() => client.end());
    return rows;
  };
  const admin = await firstAdmin(asker);
  const people: Person[] = [];
  for (let nth = 1; nth <= CALLERS; nth += 1) people.push(await newPerson(asker, admin, `person${nth}`));
  const load = startLoad(asker, await workFor({ asker, query }, admin, people));
  const random = createRandom(Date.now());
  const readyAfter: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await wait(400 + random.below(600));
    const started = performance.now();
    if (victim === 'product') {
      await product.kill();
      product = await startProduct(wanted);
    } else {
      process.kill(postmasterOf(wanted.dataDir), 'SIGKILL');
      await becomes(async () => (await asker.send('GET', '/readyz')).status === 503, 1_000, 5);
      await becomes(async () => (await asker.send('GET', '/readyz')).status === 200, 10_000, 10);
    }
    readyAfter.push(performance.now() - started);
  }
  await wait(1_000);
  await load.stop();
  const slowest = Math.max(...readyAfter);
  checks.holds(`${victim}: ready within 3 s each time`, slowest < READY_MS, `${range(readyAfter)} ms`);
  const { lost, twice, moved } = await load.audit(product.databaseUrl);
  checks.holds(
    `${victim}: ${load.acknowledged.size} acknowledged activities are there, none twice`,
    !lost.length && !twice.length && !moved.length,
    `${lost.length} lost, ${twice.length} twice, ${moved.length} elsewhere`,
  );
  const strange = load.failures.filter(({ status }) => status !== 503 && status !== 0);
  checks.holds(`${victim}: whatever was refused meanwhile was refused with 503`, !strange.length, tally(strange));
}

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8'), 10);
