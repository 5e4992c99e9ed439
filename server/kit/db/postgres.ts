import pg from 'pg';
import type { Log } from './log.ts';
import { watchForSilence } from './silence.ts';

/** Of every connection: days are those of UTC, and nothing acknowledged is lost. */
const SETTINGS = { TimeZone: 'UTC', synchronous_commit: 'on' };
/** A process that is gone without a word must not hold the import's lock for hours. */
const KEEP_ALIVE = { tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 };
/** Compiling a query takes longer than nearly any of ours runs. */
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

/** For restore and the like, whose statements may take ten minutes. */
export const MAINTENANCE_LIMIT_MS = 11 * 60_000;

/**
 * A PostgreSQL server. Anything in the address's query (sslmode, options…) wins over what is set here. With a direct
 * address beside it, the address is that of a pooler which gives a connection for one transaction at a time.
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
  // Shorter than a usual connection's limit, so that even those who waited for this answer wait less than 5 s.
  const newAsker = () => new pg.Client({ ...usual, connectionTimeoutMillis: 2_000 });
  const stopWatching = watchForSilence(pool, newAsker, log);
  return {
    pool,
    powerLossSafe: async () => {
      if (directUrl) await requireSettings(pool);
      return syncsItsCommits(pool);
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

/** Behind a pooler the next query may meet another connection, where nobody has prepared a statement of that name. */
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

/** A pooler's connections are its own: it, or the server, has to give them the settings that we cannot. */
async function requireSettings(pool: pg.Pool) {
  const names = [...Object.keys(SETTINGS), ...Object.keys(LIMITS)];
  const { rows } = await pool.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  const wrong = rows.filter(({ name, value }) => (name in LIMITS ? value === '0' : value !== wanted(name)));
  if (!wrong.length) return;
  const found = wrong.map(({ name, value }) => `${name} is ${value}`).join(', ');
  throw new Error(
    `The connections behind the pooler of DATABASE_URL lack settings (${found}). docs/scaling.md says how to set them.`,
  );
}

const wanted = (name: string) => SETTINGS[name as keyof typeof SETTINGS];

async function syncsItsCommits(pool: pg.Pool) {
  const { rows } = await pool.query<{ safe: boolean }>(
    "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS safe",
  );
  return rows[0]?.safe ?? false;
}
