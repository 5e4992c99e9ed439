import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool, PoolClient, QueryConfig } from 'pg';

/** An error to show to the operator. The database is unchanged. */
export class MigrationRefused extends Error {
  override readonly name: string = 'MigrationRefused';
}

export class SchemaTooNew extends MigrationRefused {
  override readonly name = 'SchemaTooNew';
}

type Migration = { version: number; name: string; checksum: string; statements: string };
type Applied = { version: number; name: string; checksum: string };

const FILE_NAME = /^(\d{4})_([a-z0-9_-]+)\.sql$/;
const LOCK = 7_305_226; // any number, the same for every process of this product

/** Applies what is missing, each file in a transaction of its own, and returns their versions. */
export async function migrate(pool: Pool, migrationsDir: string): Promise<number[]> {
  const migrations = await readMigrations(migrationsDir);
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query(withoutTimeout(`SELECT pg_advisory_lock(${LOCK})`));
    try {
      return await applyMissing(client, migrations);
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
      await client.query('RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout');
    }
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The newest migration of this code: what `schemaFits` compares with. */
export async function latestVersion(migrationsDir: string): Promise<number> {
  return (await readMigrations(migrationsDir)).at(-1)?.version ?? 0;
}

/** One cheap query: has the database at least the schema of this code? A newer one serves it for one release. */
export async function schemaFits(pool: Pool, version: number): Promise<boolean> {
  const { rows } = await pool.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
  );
  return (rows[0]?.version ?? 0) >= version;
}

async function applyMissing(client: PoolClient, migrations: Migration[]): Promise<number[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const { rows } = await client.query<Applied>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  check(rows, migrations);
  const done = new Set(rows.map(({ version }) => version));
  const missing = migrations.filter(({ version }) => !done.has(version));
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ version }) => version);
}

/** The name of migration 1 before the first release, when there were eleven. */
const UNRELEASED_BASELINE = 'foundation';

function check(applied: Applied[], migrations: Migration[]) {
  // First, because those had higher version numbers and would be taken for newer.
  if (applied.some(({ version, name }) => version === 1 && name === UNRELEASED_BASELINE)) {
    throw new MigrationRefused(
      'This database was created by a development version of Highstreet from before the first release and cannot be ' +
        'upgraded. Export the leads with that version, then start this one with an empty database and import them.',
    );
  }
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? 0;
  const current = applied.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new SchemaTooNew(
      `The database is newer than this version of Highstreet (its schema is ${current}, this one knows ${newest}). ` +
        'Start the newer version, or restore a backup made with this one.',
    );
  }
  for (const { version, name, checksum } of applied) {
    const file = known.get(version);
    if (file?.checksum !== checksum) {
      const what = file ? 'was changed after it was applied' : 'is missing';
      throw new MigrationRefused(`Migration ${version} (${name}) ${what}: this code does not belong to this database.`);
    }
  }
  const skipped = migrations.find(
    ({ version }) => version < current && !applied.some((row) => row.version === version),
  );
  if (skipped) {
    throw new MigrationRefused(
      `Migration ${skipped.version} (${skipped.name}) is older than the database's schema (${current}) and was never applied.`,
    );
  }
}

async function apply(client: PoolClient, { version, name, checksum, statements }: Migration) {
  try {
    await client.query('BEGIN');
    await client.query(withoutTimeout(statements));
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationRefused(`Migration ${version} (${name}) failed and was undone: ${reason}`, { cause: error });
  }
}

/** Without the driver's time-out: a migration of a large table takes long. */
const withoutTimeout = (text: string): QueryConfig & { query_timeout: number } => ({
  text,
  query_timeout: 2 ** 31 - 1,
});

async function readMigrations(migrationsDir: string): Promise<Migration[]> {
  const files = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map((file) => readMigration(migrationsDir, file)));
  migrations.forEach(({ version, name }, at) => {
    if (version !== at + 1) throw new MigrationRefused(`Migration ${version} (${name}) should be number ${at + 1}.`);
  });
  return migrations;
}

async function readMigration(migrationsDir: string, file: string): Promise<Migration> {
  const [, version, name] = FILE_NAME.exec(file) ?? [];
  if (!version || !name) throw new MigrationRefused(`${file} is not named like a migration: NNNN_name.sql.`);
  // A checkout on Windows may convert line endings; that does not change the migration.
  const statements = (await readFile(join(migrationsDir, file), 'utf8')).replaceAll('\r\n', '\n');
  return {
    version: Number(version),
    name,
    statements,
    checksum: createHash('sha256').update(statements).digest('hex'),
  };
}
