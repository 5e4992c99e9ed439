import pg from 'pg';
import type { Log } from '#server/kit/log.ts';
import { watchUnresponsiveServer } from './unresponsive-server.ts';

/** Of every connection: dates are in UTC, and an acknowledged commit is on the disk. */
const SETTINGS = { TimeZone: 'UTC', synchronous_commit: 'on' };
/** The server ends connections of a crashed host, which would otherwise hold their locks for hours. */
const KEEP_ALIVE = { tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 };
/** Just-in-time compilation takes longer than most of our queries run. */
const PLANNER = { jit: 'off' };
const LIMITS = { statement_timeout: 15_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 };

export interface PostgresOptions {
  databaseUrl: string;
  /** The same server, when `databaseUrl` is a pooler in front of it. */
  databaseDirectUrl?: string | undefined;
  /** After which the driver gives up on a query. */
  queryLimitMs?: number;
  log: Log;
}

/** For commands such as restore, whose statements may take ten minutes. */
export const MAINTENANCE_LIMIT_MS = 11 * 60_000;

/**
 * A PostgreSQL server. Parameters in the query of the URL (sslmode, options…) override the settings here. With a
 * direct URL as well, `databaseUrl` is that of a pooler in transaction mode.
 */
export function openPostgres({
  databaseUrl,
  databaseDirectUrl: directUrl,
  queryLimitMs = 65_000,
  log,
}: PostgresOptions) {
  const common = { connectionTimeoutMillis: 3_000, keepAlive: true };
  const options = Object.entries({ ...SETTINGS, ...KEEP_ALIVE, ...PLANNER })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const direct = { ...common, connectionString: directUrl ?? databaseUrl, options };
  const usual = directUrl ? { ...common, connectionString: databaseUrl } : direct;
  const pool = new pg.Pool({
    ...usual,
    ...(directUrl ? { Client: UnnamedClient } : LIMITS),
    max: 10,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    // A server that is frozen or cut off enforces nothing. Longer than any statement_timeout of a request.
    query_timeout: queryLimitMs,
  });
  // Shorter than the connection time-out of the pool, so that a request which waits for the probe waits less than 5 s.
  const newProbe = () => new pg.Client({ ...usual, connectionTimeoutMillis: 2_500 });
  const stopWatching = watchUnresponsiveServer(pool, newProbe, log);
  return {
    pool,
    directUrl: directUrl ?? databaseUrl,
    powerLossSafe: async () => {
      if (directUrl) await requireSettings(pool);
      return isCommitDurable(pool);
    },
    /** For what belongs to a session: a pooler does not keep one. */
    newClient: () => new pg.Client(direct),
    newPool: () => new pg.Pool({ ...direct, max: 1 }),
    close: () => {
      stopWatching();
      return pool.end();
    },
  };
}

/** Behind a pooler the next query may meet another connection, which has no prepared statement of that name. */
class UnnamedClient extends pg.Client {
  // The driver's method has a dozen forms; a name can only be in a first argument that is an object.
  override query(...given: unknown[]): never {
    const [config, ...rest] = given;
    const unnamed =
      typeof config === 'object' && config !== null && 'name' in config && !('submit' in config)
        ? { ...config, name: undefined }
        : config;
    return Reflect.apply(super.query, this, [unnamed, ...rest]) as never;
  }
}

/** The settings of a pooler's connections are made by the pooler or the server; here they can only be checked. */
async function requireSettings(pool: pg.Pool) {
  const names = [...Object.keys(SETTINGS), ...Object.keys(LIMITS)];
  const { rows } = await pool.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  const wrong = rows.filter(({ name, value }) => (name in LIMITS ? value === '0' : value !== required(name)));
  if (!wrong.length) return;
  const found = wrong.map(({ name, value }) => `${name} is ${value}`).join(', ');
  throw new Error(
    `The connections behind the pooler of DATABASE_URL lack settings (${found}). docs/scaling.md says how to set them.`,
  );
}

const required = (name: string) => SETTINGS[name as keyof typeof SETTINGS];

async function isCommitDurable(pool: pg.Pool) {
  const { rows } = await pool.query<{ safe: boolean }>(
    "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS safe",
  );
  return rows[0]?.safe ?? false;
}
