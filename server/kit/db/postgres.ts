import pg from 'pg';

/** A PostgreSQL server. Anything in the address's query (sslmode, options…) wins over what is set here. */
export function openPostgres(databaseUrl: string) {
  const connection = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    // The embedded database's days are UTC's as well; nothing acknowledged may be lost, whatever the server's default.
    options: '-c TimeZone=UTC -c synchronous_commit=on',
  };
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    statement_timeout: 15_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    // A server that is frozen or cut off enforces nothing. Longer than any statement_timeout that is set locally.
    query_timeout: 65_000,
  });
  return {
    pool,
    powerLossSafe: () => syncsItsCommits(pool),
    newClient: () => new pg.Client(connection),
    vacuum: async () => {},
    close: () => pool.end(),
  };
}

async function syncsItsCommits(pool: pg.Pool) {
  const { rows } = await pool.query<{ safe: boolean }>(
    "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS safe",
  );
  return rows[0]?.safe ?? false;
}
