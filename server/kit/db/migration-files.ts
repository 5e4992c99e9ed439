import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An error to show to the operator. The file that it names is not recorded as applied. */
export class MigrationRefused extends Error {
  override readonly name: string = 'MigrationRefused';
}

export interface Migration {
  version: number;
  name: string;
  checksum: string;
  sql: string;
  /** False for a file that begins with `-- no transaction`: see decision 27. */
  inTransaction: boolean;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_-]+)\.sql$/;
const NO_TRANSACTION = /^-- no transaction\b/;

export async function readMigrations(migrationsDir: string): Promise<Migration[]> {
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
  const sql = (await readFile(join(migrationsDir, file), 'utf8')).replaceAll('\r\n', '\n');
  return {
    version: Number(version),
    name,
    sql,
    inTransaction: !NO_TRANSACTION.test(sql),
    checksum: createHash('sha256').update(sql).digest('hex'),
  };
}
