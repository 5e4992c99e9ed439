import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient, QueryConfig } from 'pg';
import type { Log } from '#server/kit/log.ts';
import { VERSION } from '#server/kit/version.ts';
import { type Migration, MigrationRefused } from './migration-files.ts';

/**
 * Queries on a table wait behind a statement that waits to lock it. Longer than deadlock_timeout (1 s), after which an
 * autovacuum gives way.
 */
const LOCK_TIMEOUT = '2s';
const MAX_PAUSE_MS = 10_000;
/** A lock time-out and a deadlock. */
const LOCK_NOT_AVAILABLE = new Set(['55P03', '40P01']);

export interface MigrateOptions {
  log?: Log;
  /** How often a file is tried while other sessions use its tables: about three minutes. */
  maxTries?: number;
  /** Not those after this version: a backup of an older version is restored into its schema first. */
  upTo?: number;
  /** Called before the first one is applied to a database that has tables already. An error that it throws stops all. */
  beforeFirst?: () => Promise<void>;
}

export async function applyMigration(client: PoolClient, migration: Migration, options: MigrateOptions) {
  if (migration.inTransaction) await applyWithRetries(client, migration, options);
  else await applyStatements(client, migration);
}

/** Called before the first change; what it returns is called before the commit. An error of either undoes everything. */
export type Watch = (client: PoolClient) => Promise<() => Promise<void>>;

/** All or none, in one transaction. No other process uses the database, so indexes are built without CONCURRENTLY. */
export async function applyTogether(client: PoolClient, migrations: Migration[], watch: Watch) {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const check = await watch(client);
    for (const migration of migrations) await applyInsideTransaction(client, migration);
    await check();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function applyInsideTransaction(client: PoolClient, migration: Migration) {
  try {
    if (migration.inTransaction) await client.query(withoutTimeout(migration.sql));
    else await runStatements(client, migration, (statement) => statement.replace(/\bconcurrently\b/i, ''));
    await record(client, migration);
  } catch (error) {
    throw failedAndUndone(migration, error);
  }
}

const failedAndUndone = ({ version, name }: Migration, cause: unknown) =>
  new MigrationRefused(`Migration ${version} (${name}) failed and was undone: ${readMessage(cause)}`, { cause });

async function applyWithRetries(client: PoolClient, migration: Migration, { log, maxTries = 20 }: MigrateOptions) {
  const { version, name } = migration;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyInTransaction(client, migration);
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (!LOCK_NOT_AVAILABLE.has(readCode(error))) throw failedAndUndone(migration, error);
      if (attempt === maxTries) {
        throw new MigrationRefused(
          `Migration ${version} (${name}) was not applied: other sessions of the database use its tables ` +
            `(${readMessage(error)}). Nothing was changed. End long transactions, then start again.`,
          { cause: error },
        );
      }
      log?.warn({ version, attempt }, 'a migration waits until other sessions release its tables');
      await pause(Math.min(attempt * 1_000, MAX_PAUSE_MS));
    }
  }
}

async function applyInTransaction(client: PoolClient, migration: Migration) {
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(withoutTimeout(migration.sql));
  await record(client, migration);
  await client.query('COMMIT');
}

/**
 * Each statement commits by itself, and the file is recorded after the last one: after an interruption all of them run
 * again. Without a lock time-out, because what CONCURRENTLY waits with blocks no reads or writes.
 */
async function applyStatements(client: PoolClient, migration: Migration) {
  try {
    await runStatements(client, migration);
    await record(client, migration);
  } catch (error) {
    const { version, name } = migration;
    throw new MigrationRefused(
      `Migration ${version} (${name}) failed: ${readMessage(error)}. It runs without a transaction; the next start repeats it.`,
      { cause: error },
    );
  }
}

async function runStatements(client: PoolClient, { sql }: Migration, edit = (statement: string) => statement) {
  for (const statement of splitStatements(sql)) {
    await dropInvalidIndex(client, statement, edit);
    await client.query(withoutTimeout(edit(statement)));
  }
}

/** A statement ends with a semicolon at the end of a line. */
const splitStatements = (sql: string) =>
  sql
    .replace(/^--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

const CREATE_CONCURRENTLY = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i;

/** An interrupted CREATE INDEX CONCURRENTLY leaves an index that is never used, and that IF NOT EXISTS takes for built. */
async function dropInvalidIndex(client: PoolClient, statement: string, edit: (statement: string) => string) {
  const [, index] = CREATE_CONCURRENTLY.exec(statement) ?? [];
  if (!index) return;
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready)',
    [index.toLowerCase()],
  );
  if (rowCount) await client.query(withoutTimeout(edit(`DROP INDEX CONCURRENTLY ${index}`)));
}

const record = (client: PoolClient, { version, name, checksum }: Migration) =>
  client.query('INSERT INTO schema_migrations (version, name, checksum, product) VALUES ($1, $2, $3, $4)', [
    version,
    name,
    checksum,
    VERSION,
  ]);

/** Without the driver's time-out: a migration of a large table takes long. */
const withoutTimeout = (text: string): QueryConfig & { query_timeout: number } => ({
  text,
  query_timeout: 2 ** 31 - 1,
});

const readCode = (error: unknown) => String((error as { code?: unknown }).code ?? '');
const readMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
