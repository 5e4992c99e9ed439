import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { bulkDelete, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { type Client, createClient, type Result } from '../measure/client.ts';
import { openPool } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { buildRows, toCsv } from '../measure/import-rows.ts';
import { openFiles, treeMemoryMb } from '../measure/processes.ts';
import { type Product, startProduct } from '../measure/product.ts';
import { saveResult } from '../measure/results.ts';
import { formatNumber, markdownTable, median, quantile } from '../measure/statistics.ts';
import { createAdmin, signIn, type User } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import type { Proof } from './proof.ts';
import { pause, pick, simulateWorkday } from './workday.ts';

const USERS = 50;
const LEADS = 90_000;
const IMPORTED_ROWS = 200;
const SAMPLE_MS = 2_000;
const WARM_UP_SHARE = 0.1;
/** How long the product keeps idle connections open. */
const KEEP_ALIVE_MS = 90_000;

interface Third {
  requestsPerSecond: number;
  p50: number;
  p95: number;
  memoryMb: number;
  heapMb: number;
}

/** How much higher the last third may be than the first: a share, and an amount that is noise. */
const MARGINS: { name: string; key: keyof Third; share: number; amount: number }[] = [
  { name: 'median response, ms', key: 'p50', share: 0.25, amount: 5 },
  { name: '95% response, ms', key: 'p95', share: 0.25, amount: 25 },
  { name: 'memory of product and database, MB', key: 'memoryMb', share: 0.1, amount: 25 },
  { name: 'heap in use, MB', key: 'heapMb', share: 0.1, amount: 5 },
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
      const users = await signIn(
        pool,
        rows.map(({ id }) => id),
      );
      const admin = await createAdmin(pool);
      const client = createClient(product.url);
      const filesBefore = openFiles(product.processId);

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
      const days = users.map((user) => simulateWorkday(client, user, record, over.signal));
      const office = runOffice(client, admin, users, record, over.signal);
      const seconds = 60 * Number(minutes);
      await wait(1000 * seconds * WARM_UP_SHARE);
      const thirds: Third[] = [];
      for (let nth = 0; nth < 3; nth += 1) thirds.push(await measureThird(product, client, times, seconds / 3));
      over.abort();
      await Promise.all([...days, office]);

      checks.check('every request succeeded', !failures.length, `${failures.length} failed: ${failures[0] ?? ''}`);
      const [first, , last] = thirds as [Third, Third, Third];
      for (const { name, key, share, amount } of MARGINS) {
        const limit = first[key] * (1 + share) + amount;
        const found = `${first[key].toFixed(1)}, then ${last[key].toFixed(1)}, at most ${limit.toFixed(1)}`;
        checks.check(`${name}, stays flat`, last[key] <= limit, found);
      }
      const closed = await waitUntil(() => openFiles(product.processId) <= filesBefore + 10, KEEP_ALIVE_MS, 1_000);
      checks.check('every connection and file is closed afterwards', closed, `${openFiles(product.processId)} open`);

      const text = markdownTable(
        ['', 'requests a second', ...MARGINS.map(({ name }) => name)],
        thirds.map((third, nth) => [
          `third ${nth + 1}`,
          ...[third.requestsPerSecond, ...MARGINS.map(({ key }) => third[key])].map((value) => formatNumber(value, 1)),
        ]),
      );
      console.log(`\n${text}`);
      const title = `Soak: ${USERS} users, ${formatNumber(LEADS)} leads, ${minutes} minutes`;
      const command = `npm run prove -- soak ${minutes}`;
      if (args.includes('--save')) await saveResult('soak', { title, command, text, ratios: {} });
    }),
};

async function measureThird({ processId }: Product, client: Client, times: number[], seconds: number): Promise<Third> {
  times.length = 0;
  const [memory, heap]: [number[], number[]] = [[], []];
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await wait(SAMPLE_MS)) {
    memory.push(treeMemoryMb(processId));
    const metrics = await (await fetch(`${client.url}/metrics`)).text();
    heap.push(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024);
  }
  return {
    requestsPerSecond: times.length / seconds,
    p50: median(times),
    p95: quantile(times, 0.95),
    memoryMb: median(memory),
    // The minimum is what is left after a garbage collection.
    heapMb: Math.min(...heap),
  };
}

/** An administrator imports a file, reassigns a lead and deletes the imported leads, so that their number stays equal. */
async function runOffice(
  client: Client,
  admin: User,
  users: User[],
  record: (result: Result) => void,
  over: AbortSignal,
) {
  for (let round = 1; !over.aborted; round += 1) {
    const file = toCsv(buildRows(`Soak${round}`, IMPORTED_ROWS));
    record(await client.importCsv(importBusinesses, file, admin));
    await pause(10_000, over);
    const { body } = await client.call(listLeads, { query: { user: pick(users).id } }, admin);
    const lead = body.items?.[0]?.userBusiness;
    const change = lead && { params: { id: lead.id }, body: { newUserId: pick(users).id } };
    if (lead && change?.body.newUserId !== lead.userId)
      record(await client.call(reassignLead.byId, change ?? {}, admin));
    await pause(10_000, over);
    for (;;) {
      const query = { q: `Soak${round} `, pageSize: 100, hideClosed: false } as const;
      const found = await client.call(listLeads, { query }, admin);
      const ids = found.body.items?.map(({ userBusiness }) => userBusiness.id) ?? [];
      if (!ids.length) break;
      record(await client.call(bulkDelete, { body: { ids } }, admin));
    }
  }
}
