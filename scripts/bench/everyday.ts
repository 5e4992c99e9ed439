import type { Pool } from 'pg';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { type HttpRequest, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench, Measured } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable } from '../measure/statistics.ts';
import { signIn, type User } from '../measure/users.ts';
import { compareWithDriver } from './compare.ts';
import { recordStatements, writesChangeLog } from './statements.ts';

export const CALLERS = 16;

interface Holder extends User {
  /** Of one of the leads. */
  uuid: string;
  /** Of the lead with 2,000 entries in its timeline. */
  busyUuid: string;
}

interface EverydayCall {
  /** Requests in a turn. */
  count: number;
  callers: number;
  build(holder: Holder, nth: number): HttpRequest;
}

const READ = { count: 96, callers: CALLERS };

const EVERYDAY: Record<string, EverydayCall> = {
  'own list, first page': { ...READ, build: (holder) => toRequest(holder, listLeads) },
  profile: { ...READ, build: (holder) => toRequest(holder, getLead.byUuid, { params: { uuid: holder.uuid } }) },
  'status change': { count: 64, callers: CALLERS, build: buildStatusChange },
  notifications: { ...READ, build: (holder) => toRequest(holder, listNotifications) },
  'export of a list': { count: 16, callers: 1, build: (holder) => toRequest(holder, exportLeads) },
  'timeline of 2,000 entries': {
    count: 16,
    callers: 1,
    build: (holder) => toRequest(holder, getTimeline.byUuid, { params: { uuid: holder.busyUuid } }),
  },
};

export function buildStatusChange(holder: Holder, nth: number): HttpRequest {
  const status = Math.floor(nth / CALLERS) % 2 ? 'in_progress' : 'recontact';
  return toRequest(holder, changeLeadStatus.byUuid, { params: { uuid: holder.uuid }, body: { status } });
}

/** The most frequent calls, each compared with its own SQL through the bare driver. */
export const everydayBench: Bench = {
  title: 'Everyday calls',
  run: ([leads = '10000', turns = '20']) =>
    withCleanup(async (defer) => {
      const database = await startDatabase(defer);
      await generateLeads(database.pool, Number(leads));
      const holders = await findHolders(database.pool);
      await database.pool.query(ADD_TIMELINES, [holders.map(({ busyUuid }) => busyUuid)]);
      await database.pool.query('analyze');
      const product = await startProduct(defer, { env: database.env });
      const rows: string[][] = [];
      const ratios: Measured['ratios'] = {};
      for (const [name, { count, callers, build }] of Object.entries(EVERYDAY)) {
        const requests = Array.from({ length: count }, (_, nth) => build(holders[nth % holders.length] as Holder, nth));
        const sample = requests.slice(0, 2 * callers);
        await recordStatements(database.database, sample); // the first visit and the first credit take more statements
        const statements = await recordStatements(database.database, sample);
        const options = { product, database, requests, statements, callers, turns: Number(turns) };
        const { http, bare } = await compareWithDriver(options);
        const [httpCpu, bareCpu] = [http.serverCpu + http.databaseCpu, bare.serverCpu + bare.databaseCpu];
        ratios[name] = { value: httpCpu / bareCpu, better: 'lower' };
        const [wall, cpu] = [formatBoth(http.wall, bare.wall), formatBoth(httpCpu, bareCpu)];
        rows.push([name, String(callers), formatTimes(http.times, 1), wall, cpu, (httpCpu / bareCpu).toFixed(2)]);
        if (name !== 'status change') continue;
        const unlogged = statements.map((each) => each.filter(({ query }) => !writesChangeLog(query)));
        const { bare: without } = await compareWithDriver({ ...options, statements: unlogged });
        const unloggedCpu = httpCpu - bareCpu + without.serverCpu + without.databaseCpu;
        ratios['change log'] = { value: httpCpu / unloggedCpu, better: 'lower' };
        const ratio = (httpCpu / unloggedCpu).toFixed(2);
        rows.push(['the same / without its change log', '', '', '', formatBoth(httpCpu, unloggedCpu), ratio]);
      }
      const size = `${formatNumber(Number(leads))} leads, ${turns} turns`;
      const head = [size, 'callers', 'response (median / 95% / max)', 'HTTP / bare driver', 'processor time', 'ratio'];
      const note = 'Processor time is that of the product or the driver, with the database; the ratio compares it.';
      return { text: `${note}\n\n${markdownTable(head, rows)}`, ratios };
    }),
};

const formatBoth = (http: number, bare: number) => `${formatNumber(http, 2)} / ${formatNumber(bare, 2)} ms`;

/** Users with many leads, each with two of them. */
export async function findHolders(pool: Pool): Promise<Holder[]> {
  const { rows } = await pool.query<Pick<Holder, 'id' | 'uuid' | 'busyUuid'>>(
    `select user_id as id, min(uuid::text) as uuid, max(uuid::text) as "busyUuid" from user_businesses
     where not archived and not existing_customer group by user_id having count(*) >= 50 order by count(*) limit ${CALLERS}`,
  );
  const ids = rows.map(({ id }) => id);
  return (await signIn(pool, ids)).map((user, nth) => ({ ...user, ...(rows[nth] as Holder) }));
}

/** A thousand status changes and a thousand calls of each lead. */
const ADD_TIMELINES = `
  with entry as materialized (
    select lead.id, user_id, gen_random_uuid() as batch_id, now() - hours * interval '1 hour' as at
    from user_businesses lead, generate_series(1000, 1, -1) hours where uuid = any ($1::uuid[])),
  batch as (insert into change_batches (id, user_id, at, kind, source)
    select batch_id, user_id, at, 'status', 'profile' from entry),
  change as (insert into changes (batch_id, lead_id, field, before, after)
    select batch_id, id, 'status', '"new"', '"recontact"' from entry order by at)
  insert into contact_activities (user_business_id, type, description, created_by, completed_at, created_at)
  select id, 'call', 'Asked for a call back', user_id, at, at from entry`;
