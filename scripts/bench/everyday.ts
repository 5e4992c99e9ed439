import type { Pool } from 'pg';
import { type AnyCall, buildPath, type Input } from '#contract/call.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { HttpRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import { formatNumber, formatTimes, markdownTable } from '../measure/statistics.ts';
import { signIn, type User } from '../measure/users.ts';
import type { Bench } from './bench.ts';
import { type Cost, compareWithDriver } from './compare.ts';
import { recordStatements } from './statements.ts';

const CALLERS = 16;

interface Holder extends User {
  /** Of one of the leads. */
  uuid: string;
}

interface EverydayCall {
  name: string;
  /** How many requests a turn has. */
  requests: number;
  callers: number;
  build(holder: Holder, turn: number): HttpRequest;
}

const EVERYDAY: EverydayCall[] = [
  { name: 'own list, first page', requests: 96, callers: CALLERS, build: (holder) => toRequest(listLeads, {}, holder) },
  {
    name: 'profile',
    requests: 96,
    callers: CALLERS,
    build: (holder) => toRequest(getLead.byUuid, { params: { uuid: holder.uuid } }, holder),
  },
  {
    name: 'status change',
    requests: 64,
    callers: CALLERS,
    build: (holder, turn) => {
      const body = { status: turn % 2 ? ('in_progress' as const) : ('recontact' as const) };
      return toRequest(changeLeadStatus.byUuid, { params: { uuid: holder.uuid }, body }, holder);
    },
  },
  {
    name: 'notifications',
    requests: 96,
    callers: CALLERS,
    build: (holder) => toRequest(listNotifications, {}, holder),
  },
  { name: 'export of a list', requests: 16, callers: 1, build: (holder) => toRequest(exportLeads, {}, holder) },
];

const toRequest = <C extends AnyCall>(call: C, input: Input<C>, { cookie }: User): HttpRequest => ({
  method: call.method,
  path: buildPath(call, input),
  cookie,
  ...(input.body !== undefined && { body: input.body }),
});

/** The most frequent calls, each beside its own SQL through the bare driver. */
export const everydayBench: Bench = {
  title: 'Everyday calls',
  run: ([leads = '10000', turns = '20']) =>
    withCleanup(async (defer) => {
      const database = await startDatabase(defer);
      await generateLeads(database.pool, Number(leads));
      const holders = await findHolders(database.pool);
      const product = await startProduct(defer, { env: database.env });
      const costs: { name: string; callers: number; http: Cost; bare: Cost; ratio: number }[] = [];
      for (const { name, requests: count, callers, build } of EVERYDAY) {
        const requests = Array.from({ length: count }, (_, nth) =>
          build(holders[nth % holders.length] as Holder, Math.floor(nth / holders.length)),
        );
        const sample = requests.slice(0, 2 * callers);
        await recordStatements(database.database, sample); // the first visit and the first credit take more statements
        const statements = await recordStatements(database.database, sample);
        const options = { product, database, requests, statements, callers, turns: Number(turns) };
        const { http, bare } = await compareWithDriver(options);
        costs.push({ name, callers, http, bare, ratio: cpu(http) / cpu(bare) });
      }
      const head = [`${formatNumber(Number(leads))} leads, ${turns} turns`, 'callers', 'HTTP, ms a request'];
      const rows = costs.map(({ name, callers, http, bare, ratio }) => [
        ...[name, String(callers), formatNumber(http.wall, 2), formatNumber(bare.wall, 2), formatTimes(http.times, 1)],
        ...[`${formatNumber(cpu(http), 2)} / ${formatNumber(cpu(bare), 2)} ms`, ratio.toFixed(2)],
      ]);
      const columns = ['bare driver', 'response (median / 95% / max)', 'processor time, HTTP / bare', 'ratio'];
      return {
        text: `The ratio compares processor time, product or driver together with the database.\n\n${markdownTable([...head, ...columns], rows)}`,
        ratios: Object.fromEntries(costs.map(({ name, ratio }) => [name, { value: ratio, better: 'lower' as const }])),
      };
    }),
};

const cpu = ({ serverCpu, databaseCpu }: Cost) => serverCpu + databaseCpu;

/** Users with many leads, each with one of them. */
async function findHolders(pool: Pool): Promise<Holder[]> {
  const { rows } = await pool.query<{ user_id: number; uuid: string }>(
    `select user_id, min(uuid::text) as uuid from user_businesses where not archived and not existing_customer
     group by user_id having count(*) >= 50 order by count(*) limit $1`,
    [CALLERS],
  );
  const users = await signIn(
    pool,
    rows.map((row) => row.user_id),
  );
  return users.map((user, nth) => ({ ...user, uuid: rows[nth]?.uuid ?? '' }));
}
