import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool, QueryConfig } from 'pg';
import { createWebhook } from '#contract/webhooks/webhooks.calls.ts';
import { toRequest } from '../measure/callers.ts';
import { type Defer, withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { type Cost, compareWithDriver } from './compare.ts';
import { buildStatusChange, CALLERS, findHolders } from './everyday.ts';
import { recordStatements, type Statements } from './statements.ts';

const REQUESTS = 64;

/** What the events of webhooks cost a status change: with no webhook, and with one that is told of it. */
export const webhooksBench: Bench = {
  title: 'Events of webhooks',
  run: ([leads = '10000', turns = '20']) =>
    withCleanup(async (defer) => {
      const database = await startDatabase(defer);
      const { pool } = database;
      await generateLeads(pool, Number(leads));
      const holders = await findHolders(pool);
      await pool.query('analyze');
      const allowed = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' };
      const product = await startProduct(defer, { env: { ...database.env, ...allowed } });
      const requests = Array.from({ length: REQUESTS }, (_, nth) =>
        buildStatusChange(holders[nth % holders.length] as (typeof holders)[number], nth),
      );
      const sample = requests.slice(0, 2 * CALLERS);
      await recordStatements(database.database, sample); // the first credit takes more statements
      const statements = await recordStatements(database.database, sample);
      const stripped = statements.map(withoutEvents);
      if (JSON.stringify(stripped) === JSON.stringify(statements)) throw new Error('no statement writes events');
      const options = { product, database, requests, callers: CALLERS, turns: Number(turns) };
      const { http, bare } = await compareWithDriver({ ...options, statements });
      const { bare: bareWithout } = await compareWithDriver({ ...options, statements: stripped });
      const none = cpuOf(http);
      const without = none - cpuOf(bare) + cpuOf(bareWithout);
      await makeWebhook(defer, pool, product.url);
      const { http: told } = await compareWithDriver({ ...options, statements });
      const one = cpuOf(told);
      const size = `${formatNumber(Number(leads))} leads, ${turns} turns`;
      const head = [size, 'response (median / 95% / max)', 'processor time', 'ratio'];
      const rows = [
        ['without events', '', `${formatNumber(without, 2)} ms`, ''],
        ['no webhook', formatTimes(http.times, 1), `${formatNumber(none, 2)} ms`, (none / without).toFixed(2)],
        [
          'one webhook, its requests included',
          formatTimes(told.times, 1),
          `${formatNumber(one, 2)} ms`,
          (one / none).toFixed(2),
        ],
      ];
      const note =
        'A status change. Processor time is that of the product with the database; each ratio is to the line above.';
      return {
        text: `${note}\n\n${markdownTable(head, rows)}`,
        ratios: {
          'events, no webhook': { value: none / without, better: 'lower' },
          'events, one webhook': { value: one / none, better: 'lower' },
        },
      };
    }),
};

const cpuOf = ({ serverCpu, databaseCpu }: Cost) => serverCpu + databaseCpu;

const EVENTS = /(told as \()\s*insert into webhook_events[\s\S]*?order by event\.nth, lead\.id(\))/;

/** The same statement, which only names the parameters of the events. */
const withoutEvents = (statements: Statements): Statements =>
  statements.map(({ query, values }) => ({ query: stripEvents(query), values }));

function stripEvents(query: string | QueryConfig): string | QueryConfig {
  const text = typeof query === 'string' ? query : query.text;
  const stripped = text.replace(EVENTS, (events, begin: string, end: string) => {
    const parameters = [...events.matchAll(/\$\d+::\w+\[\]/g)].map(([parameter]) => parameter);
    return `${begin}select ${parameters.join(', ')}${end}`;
  });
  if (stripped === text) return query;
  return typeof query === 'string' ? stripped : { ...query, text: stripped, name: `${query.name} without events` };
}

/** A webhook to a program on this machine that answers at once. */
async function makeWebhook(defer: Defer, pool: Pool, productUrl: string) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(() => server.close());
  const { port } = server.address() as AddressInfo;
  const body = { url: `http://127.0.0.1:${port}/`, events: ['lead.changed' as const, 'lead.closed' as const] };
  const { path, cookie } = toRequest(await createAdmin(pool), createWebhook, { body });
  const headers = { 'content-type': 'application/json', cookie };
  const response = await fetch(productUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the webhook was not made: ${await response.text()}`);
}
