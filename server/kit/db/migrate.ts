import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { VERSION } from '#server/kit/version.ts';
import { applyMigration, applyTogether, type MigrateOptions, type Watch } from './apply-migration.ts';
import { type Migration, MigrationRefused, readMigrations } from './migration-files.ts';

export class SchemaTooNew extends MigrationRefused {
  override readonly name = 'SchemaTooNew';
}

type Applied = { version: number; name: string; checksum: string; product: string };

const LOCK = 7_305_226; // any number, the same for every process of this product
const LOCK_POLL_MS = 200;

/** Applies what is missing, each file by itself, and returns their versions. */
export async function migrate(pool: Pool, migrationsDir: string, options: MigrateOptions = {}): Promise<number[]> {
  const { upTo = Number.POSITIVE_INFINITY } = options;
  const migrations = (await readMigrations(migrationsDir)).filter(({ version }) => version <= upTo);
  return withMigrationLock(pool, async (client) => {
    const missing = await findMissing(client, migrations);
    if (missing.length && missing.length < migrations.length) await options.beforeFirst?.();
    for (const migration of missing) await applyMigration(client, migration, options);
    return missing.map(({ version }) => version);
  });
}

/** Applies what is missing, all or nothing. The caller has the lock, and no other process uses the database. */
export async function migrateAtOnce(client: PoolClient, migrationsDir: string, watch: Watch): Promise<number[]> {
  const missing = await findMissing(client, await readMigrations(migrationsDir));
  await applyTogether(client, missing, watch);
  return missing.map(({ version }) => version);
}

/** The number of migrations that this code would apply. Refuses a database that is newer, or that of other code. */
export async function countMissing(client: PoolClient, migrationsDir: string): Promise<number> {
  return (await findMissing(client, await readMigrations(migrationsDir))).length;
}

/** Runs the work on a connection that has the lock of migrations: a process that starts meanwhile waits. */
export async function withMigrationLock<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await lockMigrations(client);
    try {
      return await work(client);
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

/** Asks again and again: CREATE INDEX CONCURRENTLY waits for every running statement, also for one that waits for this lock. */
async function lockMigrations(client: PoolClient) {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    await pause(LOCK_POLL_MS);
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

async function findMissing(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, product text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  // Not by name: databases of development versions have no column "product".
  const { rows } = await client.query<Applied>('SELECT * FROM schema_migrations ORDER BY version');
  check(rows, migrations);
  const done = new Set(rows.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}

/** Before the first release there were other migrations, which mostly recorded no version of the product. */
const isUnreleased = ({ version, product }: Pick<Applied, 'version'> & { product?: string }) =>
  version === 1 && !(Number(product?.split('.')[0]) >= 1);

function check(applied: Applied[], migrations: Migration[]) {
  // First, because those had higher version numbers and would be taken for newer.
  if (applied.some(isUnreleased)) {
    throw new MigrationRefused(
      'This database was created by a development version of Highstreet from before the first release and cannot be ' +
        'upgraded. Export the leads with that version, then start this one with an empty database and import them.',
    );
  }
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? 0;
  const last = applied.at(-1);
  const current = last?.version ?? 0;
  if (last && current > newest) {
    throw new SchemaTooNew(
      `The database is that of Highstreet ${last.product}, and this is Highstreet ${VERSION}. ` +
        `Start ${last.product} or a newer version, or restore a backup made with this one.`,
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
