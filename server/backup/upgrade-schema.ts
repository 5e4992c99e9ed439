import type { ClientBase, PoolClient } from 'pg';
import { freeBytes } from '#server/kit/db/built-in/free-space.ts';
import { requireNoOtherSession, withDatabaseCopy } from '#server/kit/db/database-copy.ts';
import { countMissing, migrateAtOnce, withMigrationLock } from '#server/kit/db/migrate.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import type { Log } from '#server/kit/log.ts';
import { backedUpTables, existingTables, quoteIdentifier } from './tables.ts';

const MIB = 1024 * 1024;
/** For the log and for temporary files of the server. */
const SPARE_MIB = 500;

interface Upgrade {
  databaseUrl: string;
  migrationsDir: string;
  log: Log;
  /** The folder of the built-in database. How much another server may store is not known. */
  builtInFolder?: string | undefined;
  /** Writes a backup before the first change, and returns its file, unless there is nothing to lose. */
  backUp: () => Promise<string | undefined>;
  /** Throws when the product does not work on the migrated copy. */
  selfCheck: (copy: Database) => Promise<void>;
  /** Called after each step, with a sentence. */
  report: (done: string) => void;
}

/**
 * Migrates a database that no other program uses, after all of it has worked on a copy. The migrations of the database itself
 * are one transaction: an interrupted upgrade leaves the former schema or the new one. Returns how many were applied.
 */
export async function upgradeSchema(upgrade: Upgrade): Promise<number> {
  const { databaseUrl, migrationsDir, log, builtInFolder, backUp, report } = upgrade;
  return onOneConnection(databaseUrl, log, async (client) => {
    await requireNoOtherSession(client);
    await requireTables(client);
    const missing = await countMissing(client, migrationsDir);
    if (!missing) return 0;
    if (builtInFolder) await requireRoom(client, builtInFolder);
    const backup = await backUp();
    if (backup) report(`Saved a backup, ${backup}`);
    // Once more, because the backup may be on the same disk.
    if (builtInFolder) await requireRoom(client, builtInFolder);
    await withDatabaseCopy(client, databaseUrl, (copyUrl) => tryOn(copyUrl, upgrade));
    report('On a copy, all rows are there after the migration, and Highstreet is ready to serve');
    await migrateAtOnce(client, migrationsDir, watchRows);
    return missing;
  });
}

/** Refuses while another program uses the database, before anything is installed or built for an upgrade. */
export const requireUnused = (databaseUrl: string, log: Log) =>
  onOneConnection(databaseUrl, log, requireNoOtherSession);

/** The database cannot be copied while it has a second one. */
async function onOneConnection<T>(databaseUrl: string, log: Log, work: (client: PoolClient) => Promise<T>) {
  const server = openPostgres({ databaseUrl, log });
  const pool = server.newPool();
  // The query under way reports a lost connection; an event without a listener ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    return await withMigrationLock(pool, work);
  } finally {
    await pool.end();
    await server.close();
  }
}

async function tryOn(databaseUrl: string, { migrationsDir, log, selfCheck }: Upgrade) {
  await onOneConnection(databaseUrl, log, (client) => migrateAtOnce(client, migrationsDir, watchRows));
  const copy = await openDatabase({ databaseUrl, migrationsDir, log });
  await selfCheck(copy).finally(copy.close);
}

/** Compares the rows before and after, and requires that constraints and indexes are in force. */
async function watchRows(client: PoolClient) {
  const before = await countRows(client);
  return async () => {
    const after = await countRows(client);
    const fewer = Object.keys(before).filter((table) => (after[table] ?? Infinity) < (before[table] ?? 0));
    if (fewer.length) throw new Error(`after the migration these tables have fewer rows: ${fewer.join(', ')}`);
    await requireValid(client);
  };
}

async function countRows(client: ClientBase): Promise<Record<string, number>> {
  const counts = (await backedUpTables(client)).map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::float AS count FROM ${quoteIdentifier(name)}`,
  );
  const { rows } = await client.query<{ name: string; count: number }>(counts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** A migration validates the constraints that it adds. */
async function requireValid(client: ClientBase) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE NOT convalidated AND relnamespace = 'public'::regnamespace AND relname = ANY ($1)
     UNION ALL
     SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE NOT indisvalid AND relnamespace = 'public'::regnamespace AND relname = ANY ($1)`,
    [await existingTables(client)],
  );
  if (rows.length)
    throw new Error(`after the migration these are not valid: ${rows.map(({ name }) => name).join(', ')}`);
}

async function requireTables(client: ClientBase) {
  const { rows } = await client.query<{ empty: boolean }>("SELECT to_regclass('schema_migrations') IS NULL AS empty");
  if (rows[0]?.empty) throw new Error('the database is empty; npm start creates its tables');
}

/** For the copy, and for the tables that its migration writes anew. */
async function requireRoom(client: ClientBase, folder: string) {
  const { rows } = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  const neededMib = Math.ceil((2 * Number(rows[0]?.bytes)) / MIB) + SPARE_MIB;
  const freeMib = Math.floor(freeBytes(folder) / MIB);
  if (freeMib < neededMib)
    throw new Error(
      `a copy of the database needs ${neededMib} MB on the disk of ${folder}, and ${freeMib} MB are free`,
    );
}
