import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import type { Bench, Measured } from './bench.ts';
import { callAll } from './callers.ts';
import { figure, range, seconds, table } from './figures.ts';
import { firstScreen } from './first-screen.ts';
import { familyMemoryMb, memoryMb } from './memory.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';

const ROUNDS = 5;
/** Node alone is so soon there that chance is a large part of a few tries. */
const NODE_ROUNDS = 30;
const PORT = 31_903;
const CALLERS = 50;
const CALLS = 4_000;
/** What the first screen's scripts may weigh. */
const BOUND_KB = 120;

/** How soon it is there, what it holds in memory, and what a browser has to fetch before a person can sign in. */
export const startBench: Bench = {
  title: 'Start, memory, first screen',
  async run() {
    const node = await bareNode();
    const part = await measureStarts(node);
    const screen = await firstScreen(PORT);
    return {
      text: [
        table(['', ''], rowsOf(part)),
        `Node alone, doing nothing, holds ${node.memory} MB and ends after ${range(node.milliseconds)} ms.`,
        `\`/auth\` needs ${figure(screen.scriptKb, 1)} kB of compressed JavaScript (at most ${BOUND_KB}) and ${figure(screen.allKb, 1)} kB in all before the form can be used.`,
      ].join('\n\n'),
      ratios: Object.assign(
        { 'first screen, share of its bound': { value: screen.scriptKb / BOUND_KB, better: 'lower' } },
        part.ratios,
      ),
    };
  },
};

interface Bare {
  milliseconds: number[];
  memory: number;
}

/** What Node itself takes: the ratio to it says more than a time. */
async function bareNode(): Promise<Bare> {
  const milliseconds: number[] = [];
  for (let round = 0; round < NODE_ROUNDS; round += 1) {
    milliseconds.push(1000 * (await seconds(() => ended(spawn(process.execPath, ['-e', '0'])))));
  }
  const idle = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 2000)']);
  await wait(1_000);
  const memory = memoryMb(idle.pid as number);
  await ended(idle);
  return { milliseconds, memory };
}

const ended = (child: ReturnType<typeof spawn>) => new Promise((resolve) => child.once('exit', resolve));

type Part = { first: number; again: number[]; rest: number; load: number } & Pick<Measured, 'ratios'>;

/** The product with the PostgreSQL that it starts itself. */
async function measureStarts(node: Bare): Promise<Part> {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  try {
    const { milliseconds: first } = await timedStart(env, async () => {});
    const database = await openConfigured(readEnv(env), {
      log: { info() {}, warn: console.warn, error: console.error },
    });
    const people = await createPeople(database.pool, CALLERS).finally(database.close);
    const again: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) again.push((await timedStart(env, async () => {})).milliseconds);
    let [rest, load] = [0, 0];
    await timedStart(env, async (product) => {
      await wait(5_000);
      rest = familyMemoryMb(product.processId);
      const requests = Array.from({ length: CALLS }, (_, n) => ({
        method: 'GET',
        path: listLeads.path,
        cookie: people[n % people.length]?.cookie ?? '',
      }));
      await callAll(product.url, CALLERS, requests);
      load = familyMemoryMb(product.processId);
    });
    return {
      first,
      again,
      rest,
      load,
      ratios: {
        // The soonest of each: the rest is noise of the machine.
        'second start to Node alone': { value: Math.min(...again) / Math.min(...node.milliseconds), better: 'lower' },
        'memory at rest to Node alone': { value: rest / node.memory, better: 'lower' },
      },
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const rowsOf = ({ first, again, rest, load }: Part): string[][] => [
  ['first start of an empty database', `${figure(first)} ms`],
  [`later starts, ${ROUNDS} rounds`, `${range(again)} ms`],
  ['memory at rest, product and database (PSS)', `${rest} MB`],
  [`the same after ${CALLERS} callers have read ${figure(CALLS)} pages`, `${load} MB`],
];

type Product = Awaited<ReturnType<typeof startProduct>>;

/** Until it answers that it is ready, as a load balancer would ask. */
async function timedStart(env: Record<string, string>, meanwhile: (product: Product) => Promise<void>) {
  const started = performance.now();
  const product = await startProduct(PORT, env);
  const milliseconds = performance.now() - started;
  await meanwhile(product).finally(product.stop);
  return { milliseconds };
}
