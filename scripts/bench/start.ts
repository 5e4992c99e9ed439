import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { callAll, milliseconds } from '../measure/callers.ts';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { memoryMb, treeMemoryMb } from '../measure/processes.ts';
import { type Product, startProduct } from '../measure/product.ts';
import { formatNumber, formatRange, markdownTable } from '../measure/statistics.ts';
import { createUsers } from '../measure/users.ts';
import type { Bench } from './bench.ts';
import { measureFirstScreen } from './first-screen.ts';

/** Node alone starts so fast that a few runs are mostly noise. */
const NODE_ROUNDS = 30;
const CALLERS = 50;
const REQUESTS = 4_000;
/** The limit for the scripts of the first screen. */
const MAX_SCRIPT_KB = 120;

/** How fast it starts, how much memory it takes, and what a browser downloads before a user can sign in. */
export const startBench: Bench = {
  title: 'Start, memory, first screen',
  run: ([rounds = '5']) =>
    withCleanup(async (defer) => {
      const node = await measureNode();
      const dataDir = join(temporaryFolder(defer), 'data');
      const timeStart = async () => {
        let product: Product | undefined;
        const ms = await milliseconds(async () => {
          product = await startProduct(defer, { dataDir });
        });
        return { ms, product: product as unknown as Product };
      };
      const first = await timeStart();
      const users = await createUsers(openPool(defer, first.product.databaseUrl), CALLERS);
      let { product } = first;
      const later: number[] = [];
      for (let round = 0; round < Number(rounds); round += 1) {
        await product.stop();
        const next = await timeStart();
        later.push(next.ms);
        product = next.product;
      }
      await wait(5_000);
      const idleMb = treeMemoryMb(product.processId);
      const requests = Array.from({ length: REQUESTS }, (_, nth) => {
        return { method: 'GET', path: listLeads.path, cookie: users[nth % users.length]?.cookie ?? '' };
      });
      await callAll(product.url, CALLERS, requests);
      const rows = [
        ['first start of an empty database', `${formatNumber(first.ms)} ms`],
        [`later starts, ${rounds} rounds`, `${formatRange(later)} ms`],
        ['memory at rest, product and database (PSS)', `${idleMb} MB`],
        [`after ${CALLERS} callers have read ${formatNumber(REQUESTS)} pages`, `${treeMemoryMb(product.processId)} MB`],
      ];
      const { scriptKb, allKb } = await measureFirstScreen(product.url);
      return {
        text: [
          markdownTable(['', ''], rows),
          `Node alone, doing nothing, takes ${node.mb} MB and ends after ${formatRange(node.times)} ms.`,
          `\`/auth\` needs ${formatNumber(scriptKb, 1)} kB of compressed JavaScript (at most ${MAX_SCRIPT_KB}) and ${formatNumber(allKb, 1)} kB in all before the form can be used.`,
        ].join('\n\n'),
        ratios: {
          'first screen, share of its bound': { value: scriptKb / MAX_SCRIPT_KB, better: 'lower' },
          // The fastest of each: the rest is noise of the machine.
          'second start to Node alone': { value: Math.min(...later) / Math.min(...node.times), better: 'lower' },
          'memory at rest to Node alone': { value: idleMb / node.mb, better: 'lower' },
        },
      };
    }),
};

async function measureNode() {
  const times: number[] = [];
  for (let round = 0; round < NODE_ROUNDS; round += 1) {
    times.push(await milliseconds(() => once(spawn(process.execPath, ['-e', '0']), 'exit')));
  }
  const idle = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 2000)']);
  await wait(1_000);
  const mb = memoryMb(idle.pid as number);
  await once(idle, 'exit');
  return { times, mb };
}
