import { Gauge, Registry } from 'prom-client';
import { EVENTS_PATH } from '#contract/notifications/events.ts';
import { type Problem, problemKind } from '#contract/system/problems.ts';
import type { RunningImports } from '#server/import/run/running-imports.ts';
import type { Housekeeping } from './housekeeping.ts';
import type { Clock } from './kit/clock.ts';
import { freeBytes } from './kit/db/built-in/free-space.ts';
import type { Database } from './kit/db/open.ts';
import type { Env } from './kit/env.ts';
import type { LiveEvents } from './kit/live-events.ts';
import { counter, counterBy, gauge, gaugeBy } from './kit/metrics/collected.ts';
import { processMetrics } from './kit/metrics/process-metrics.ts';
import { requestMetrics } from './kit/metrics/request-metrics.ts';
import { cacheFor, withTimeout } from './kit/timed.ts';
import { VERSION } from './kit/version.ts';

const COUNTS_CACHE_MS = 5_000;
const SIZE_CACHE_MS = 60_000;
const PROBLEMS_CACHE_MS = 15_000;
const QUERY_TIMEOUT_MS = 2_000;

/** What is measured from the first request on; `registerProductMetrics` adds the rest. */
export function createMetrics() {
  const registry = new Registry();
  const stop = processMetrics(registry);
  return { registry, measure: requestMetrics(registry, { streams: [EVENTS_PATH] }), stop };
}

interface Sources {
  database: Database;
  env: Env;
  clock: Clock;
  liveEvents: LiveEvents;
  openStreams: () => number;
  remindersSent: () => number;
  housekeeping: Pick<Housekeeping, 'deleted' | 'failures'>;
  runningImports: Pick<RunningImports, 'isRunning'>;
  /** Of this process, by how they ended. */
  webhookAttempts: () => Record<string, number>;
  problems: () => Promise<Problem[]>;
}

/** The product's own metrics. Those read from the database are the same in every process that shares it. */
export function registerProductMetrics(registry: Registry, sources: Sources) {
  const { database, env, clock, liveEvents, openStreams, remindersSent, housekeeping, runningImports } = sources;
  const { pool } = database;
  const info = new Gauge({
    name: 'highstreet_info',
    help: 'Always 1; version, database and Node version as labels',
    labelNames: ['version', 'database', 'node'],
    registers: [registry],
  });
  info.set({ version: VERSION, database: env.databaseUrl ? 'postgres' : 'built-in', node: process.versions.node }, 1);

  gauge(registry, 'highstreet_database_pool_connections', 'Connections of the pool', () => pool.totalCount);
  gauge(registry, 'highstreet_database_pool_idle', 'Idle connections of the pool', () => pool.idleCount);
  gauge(registry, 'highstreet_database_pool_waiting', 'Queries that wait for a connection', () => pool.waitingCount);
  const retries = 'Transactions retried after a conflict';
  counter(registry, 'highstreet_database_transaction_retries_total', retries, database.retries);
  gauge(registry, 'highstreet_live_listening', '1 while events of other processes are received', () =>
    Number(liveEvents.isListening()),
  );
  gauge(registry, 'highstreet_event_streams_open', 'Open event streams', openStreams);
  counter(registry, 'highstreet_reminders_sent_total', 'Follow-ups whose holder was reminded', remindersSent);
  const rows = { name: 'highstreet_housekeeping_deleted_rows_total', help: 'Expired rows deleted', label: 'table' };
  counterBy(registry, rows, housekeeping.deleted);
  const failures = 'Tables whose expired rows were not deleted';
  counter(registry, 'highstreet_housekeeping_failures_total', failures, housekeeping.failures);
  const attempts = { name: 'highstreet_webhook_attempts_total', help: 'Requests to webhooks', label: 'result' };
  counterBy(registry, attempts, sources.webhookAttempts);
  gauge(registry, 'highstreet_import_running', '1 while this process imports a file', () =>
    Number(runningImports.isRunning()),
  );

  const counts = cacheFor(COUNTS_CACHE_MS, () => withTimeout(QUERY_TIMEOUT_MS, countRows(database, clock)));
  const counted = (name: string, help: string, pick: (row: Counts) => number) =>
    gauge(registry, name, help, async () => {
      const row = await counts();
      return row && pick(row);
    });
  gauge(registry, 'highstreet_database_up', '1 when the database responded', async () =>
    Number(Boolean(await counts())),
  );
  counted('highstreet_sessions', 'Open sessions', ({ sessions }) => sessions);
  counted('highstreet_mail_outbox_messages', 'E-mails not yet sent', ({ mails }) => mails);
  counted('highstreet_mail_outbox_oldest_seconds', 'Age of the oldest unsent e-mail', ({ oldest }) => oldest);
  counted('highstreet_webhook_deliveries_open', 'Deliveries to webhooks that are not done', ({ open }) => open);
  counted('highstreet_places_paid_calls', 'Paid calls to the places service this month', ({ calls }) => calls);
  const { monthlyCap } = env.places;
  gauge(registry, 'highstreet_places_paid_calls_cap', 'Maximum of paid calls in a month', () => monthlyCap);

  const size = cacheFor(SIZE_CACHE_MS, () => withTimeout(QUERY_TIMEOUT_MS, databaseBytes(database)));
  gauge(registry, 'highstreet_database_size_bytes', 'Size of the database', size);
  const problems = cacheFor(PROBLEMS_CACHE_MS, () => withTimeout(QUERY_TIMEOUT_MS, sources.problems()));
  const problem = { name: 'highstreet_problem', help: '1 while this needs the hands of somebody', label: 'problem' };
  gaugeBy(registry, problem, async () => countByKind(await problems()));
  if (!env.databaseUrl) {
    const free = () => freeBytes(env.dataDir);
    gauge(registry, 'highstreet_data_dir_free_bytes', 'Free space on the disk of DATA_DIR', free);
  }
}

interface Counts {
  sessions: number;
  mails: number;
  oldest: number;
  open: number;
  calls: number;
}

async function countRows({ pool }: Database, clock: Clock): Promise<Counts | undefined> {
  const { rows } = await pool.query<Counts>(
    `select
       (select count(*)::int from sessions where expires_at > now()) as sessions,
       (select count(*)::int from mail_outbox) as mails,
       (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from mail_outbox) as oldest,
       (select count(*)::int from webhook_deliveries d join webhooks w on w.id = d.webhook_id
         where d.state in ('waiting', 'due') and w.state = 'on') as open,
       coalesce((select calls from places_usage where month = $1), 0) as calls`,
    [clock().toISOString().slice(0, 7)],
  );
  return rows[0];
}

/** Every kind, so that an alert ends when its problem does; none where they are not known. */
const countByKind = (problems: Problem[] | undefined): Record<string, number> =>
  problems
    ? Object.fromEntries(
        problemKind.options.map((kind) => [kind, Number(problems.some((problem) => problem.kind === kind))]),
      )
    : {};

async function databaseBytes({ pool }: Database): Promise<number | undefined> {
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return rows[0] && Number(rows[0].bytes);
}
