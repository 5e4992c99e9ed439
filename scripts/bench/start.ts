import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { callAll } from './callers.ts';
import { type BenchDatabase, onBothDatabases } from './databases.ts';
import { figure, range, seconds, table } from './figures.ts';
import { firstScreen } from './first-screen.ts';
import { memoryMb, peakMemoryMb } from './memory.ts';
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
    const parts = await onBothDatabases((database) => startsOn(database, node));
    const screen = await firstScreen(PORT);
    return {
      text: [
        table(['', ...parts.map(({ name }) => name)], rowsOf(parts)),
        `Node alone, doing nothing, holds ${node.memory} MB and ends after ${range(node.milliseconds)} ms.`,
        `\`/auth\` needs ${figure(screen.scriptKb, 1)} kB of compressed JavaScript (at most ${BOUND_KB}) and ${figure(screen.allKb, 1)} kB in all before the form can be used.`,
      ].join('\n\n'),
      ratios: Object.assign(
        { 'first screen, share of its bound': { value: screen.scriptKb / BOUND_KB, better: 'lower' } },
        ...parts.map(({ ratios }) => ratios),
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

type Part = { name: string; first: string; again: number[]; rest: number; load: number } & Pick<Measured, 'ratios'>;

async function startsOn(database: BenchDatabase, node: Bare): Promise<Part> {
  const { name, env } = database;
  const first = await timedStart(env, async () => {});
  const people = await withPeople(database);
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) again.push((await timedStart(env, async () => {})).milliseconds);
  let [rest, load] = [0, 0];
  await timedStart(env, async (product) => {
    await wait(5_000);
    rest = memoryMb(product.processId);
    const requests = Array.from({ length: CALLS }, (_, n) => ({
      method: 'GET',
      path: listLeads.path,
      cookie: people[n % people.length]?.cookie ?? '',
    }));
    await callAll(product.url, CALLERS, requests);
    load = peakMemoryMb(product.processId);
  });
  return {
    name,
    first: `${figure(first.milliseconds)} ms`,
    again,
    rest,
    load,
    ratios: {
      // The soonest of each: the rest is other people's noise.
      [`second start to Node alone, ${name}`]: {
        value: Math.min(...again) / Math.min(...node.milliseconds),
        better: 'lower',
      },
      [`memory at rest to Node alone, ${name}`]: { value: rest / node.memory, better: 'lower' },
    },
  };
}

const rowsOf = (parts: Part[]): string[][] => [
  ['first start of an empty database', ...parts.map(({ first }) => first)],
  [`later starts, ${ROUNDS} rounds`, ...parts.map(({ again }) => `${range(again)} ms`)],
  ['memory at rest', ...parts.map(({ rest }) => `${rest} MB`)],
  [`peak while ${CALLERS} callers read ${figure(CALLS)} pages`, ...parts.map(({ load }) => `${load} MB`)],
];

type Product = Awaited<ReturnType<typeof startProduct>>;

/** Until it answers that it is ready, as a load balancer would ask. */
async function timedStart(env: Record<string, string>, meanwhile: (product: Product) => Promise<void>) {
  // An embedded store lives in the folder of its database; anything else a start needs is thrown away with this one.
  const scratch = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const started = performance.now();
  const product = await startProduct(PORT, { DATA_DIR: scratch, ...env });
  const milliseconds = performance.now() - started;
  try {
    await meanwhile(product);
  } finally {
    await product.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  return { milliseconds };
}

async function withPeople(database: BenchDatabase) {
  const opened = await database.open();
  try {
    return await createPeople(opened.pool, CALLERS);
  } finally {
    await opened.close();
  }
}
