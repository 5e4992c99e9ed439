import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { BackupRefused } from '#server/backup/file/backup-format.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { schemaVersion } from '#server/backup/tables.ts';
import type { Database } from '#server/kit/db/open.ts';
import { findTableWithData, restoreBackup } from './restore-backup.ts';

interface Move {
  /** Only read, and used by no other process. */
  from: Database;
  to: Database;
  /** Created for the move and removed after it; holds a backup in between. */
  folder: string;
}

/**
 * Copies everything that a backup holds into an empty PostgreSQL, in one transaction: before it is committed, the rows of
 * every table are counted and summed on both sides. If it is interrupted, nothing was moved and it can be repeated.
 */
export async function moveDatabase({ from, to, folder }: Move) {
  await inTransaction(to.pool, requireEmpty);
  const schema = await inTransaction(to.pool, schemaVersion);
  const unsent = await inTransaction(from.pool, async (client) => {
    requireSameSchema(await schemaVersion(client), schema);
    return unsentMails(client);
  });
  const { counts } = await replaceDatabase({ from, to, folder, replace: false });
  return { counts, unsent };
}

/** Restores a backup of one database into the other. Both have the same schema. */
export async function replaceDatabase({ from, to, folder, replace }: Move & { replace: boolean }) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    const file = join(folder, 'moving.backup');
    await writeBackupFile((stream) => sendBackup(from.pool, stream), file);
    return await restoreBackup(to.pool, file, { replace });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireEmpty(client: ClientBase) {
  const table = await findTableWithData(client);
  if (table) throw new BackupRefused(`the PostgreSQL database is not empty (${table}); name one with nothing in it`);
}

function requireSameSchema(here: number, there: number) {
  if (here === there) return;
  const advice = 'Start this version on it once, without DATABASE_URL, stop it, and move then.';
  throw new BackupRefused(
    here < there
      ? `the built-in database has the schema of an older version (${here}, this one has ${there}). ${advice}`
      : `the built-in database is of a newer version of Highstreet (schema ${here}, this one has ${there})`,
  );
}

async function unsentMails(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM mail_outbox');
  return rows[0]?.count ?? 0;
}

async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(client);
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
}
