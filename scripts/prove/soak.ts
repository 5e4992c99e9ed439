import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient, type Result } from '../measure/client.ts';
import { openPool } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { treeMemoryMb } from '../measure/processes.ts';
import { type Product, startProduct } from '../measure/product.ts';
import { saveResult } from '../measure/results.ts';
import { formatNumber, markdownTable, median, quantile } from '../measure/statistics.ts';
import { signIn } from '../measure/users.ts';
import type { Proof } from './proof.ts';
import { simulateWorkday } from './workday.ts';

const USERS = 50;
const LEADS = 90_000;
const SAMPLE_MS = 2_000;
const WARM_UP_SHARE = 0.1;

/** How much higher the last third may be than the first: a share, and an amount that is noise. */
const FIGURES = [
  { name: 'median response, ms', share: 0.25, amount: 5 },
  { name: '95% response, ms', share: 0.25, amount: 25 },
  { name: 'memory of product and database, MB', share: 0.1, amount: 25 },
  { name: 'heap in use, MB', share: 0.1, amount: 5 },
];

export const soak: Proof = {
  description: `${USERS} users for 20 minutes: memory and response times stay flat. soak [minutes=20] [--save]`,
  run: (args, checks) =>
    withCleanup(async (defer) => {
      const [minutes = '20'] = args.filter((word) => word !== '--save');
      const product = await startProduct(defer);
      const pool = openPool(defer, product.databaseUrl);
      await generateLeads(pool, LEADS);
      const { rows } = await pool.query<{ id: number }>('select id from users order by id limit $1', [USERS]);
      const userIds = rows.map(({ id }) => id);
      const users = await signIn(pool, userIds);
      const client = createClient(product.url);

      const times: number[] = [];
      const failures: string[] = [];
      const record = ({ status, body, ms }: Result) => {
        times.push(ms);
        // A lead that was reassigned meanwhile is refused, as it should be.
        const reassigned = body.code === 'not_your_lead' || body.code === 'not_found';
        if ((status < 200 || status >= 300) && !reassigned) failures.push(`${status} ${body.code}`);
      };
      const over = new AbortController();
      setMaxListeners(0, over.signal);
      const working = users.map((user) => {
        const colleagues = userIds.filter((id) => id !== user.id);
        return simulateWorkday(client, user, colleagues, record, over.signal);
      });
      const seconds = 60 * Number(minutes);
      await wait(1000 * seconds * WARM_UP_SHARE);
      const thirds: number[][] = [];
      for (let nth = 0; nth < 3; nth += 1) thirds.push(await measureThird(product, times, seconds / 3));
      over.abort();
      await Promise.all(working);

      checks.check('every request succeeded', !failures.length, `${failures.length} failed: ${failures[0] ?? ''}`);
      for (const [nth, { name, share, amount }] of FIGURES.entries()) {
        const [first = 0, , last = 0] = thirds.map((third) => third[nth] ?? 0);
        const limit = first * (1 + share) + amount;
        const found = `${first.toFixed(1)}, then ${last.toFixed(1)}, at most ${limit.toFixed(1)}`;
        checks.check(`${name}: stays flat`, last <= limit, found);
      }
      const text = markdownTable(
        ['', ...FIGURES.map(({ name }) => name)],
        thirds.map((third, nth) => [`third ${nth + 1}`, ...third.map((value) => formatNumber(value, 1))]),
      );
      console.log(`\n${text}`);
      const title = `Soak: ${USERS} users, ${formatNumber(LEADS)} leads, ${minutes} minutes`;
      const command = `npm run prove -- soak ${minutes}`;
      if (args.includes('--save')) await saveResult('soak', { title, command, text, ratios: {} });
    }),
};

/** The values of the figures, in their order. */
async function measureThird({ url, processId }: Product, times: number[], seconds: number): Promise<number[]> {
  times.length = 0;
  const [memory, heap]: [number[], number[]] = [[], []];
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await wait(SAMPLE_MS)) {
    memory.push(treeMemoryMb(processId));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    heap.push(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024);
  }
  // The minimum of the heap is what is left after a garbage collection.
  return [median(times), quantile(times, 0.95), median(memory), Math.min(...heap)];
}
