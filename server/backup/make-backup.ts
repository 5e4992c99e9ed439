import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Pool } from 'pg';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { BackupRefused } from '#server/backup/file/backup-format.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { freeBytes, RESERVED_BYTES } from '#server/kit/db/built-in/free-space.ts';
import type { Env } from '#server/kit/env.ts';
import { type BackupFile, ensureBackupFolder, formatBackupName, listBackupFiles } from './backup-folder.ts';
import type { Pace } from './pace.ts';
import { backedUpTables, quoteIdentifier } from './tables.ts';

const MIB = 1024 * 1024;
/** The next backup is as large as the last one, and somewhat larger. */
const GROWTH = 1.2;

interface Options {
  env: Pick<Env, 'backupDir' | 'backupKey'>;
  signal?: AbortSignal;
  pace?: Pace;
  /** How much room a folder has; a test has none. */
  free?: (folder: string) => number;
}

/** A name that no file has. */
export function chooseBackupName(folder: string, file: Omit<BackupFile, 'name'>): string {
  const name = formatBackupName(file);
  if (!existsSync(join(folder, name))) return name;
  return chooseBackupName(folder, { ...file, at: new Date(file.at.getTime() + 1_000) });
}

/** Writes a whole backup into the folder of backups, or nothing. What the disk cannot hold is not begun. */
export async function makeBackup(pool: Pool, name: string, { env, signal, pace, free = freeBytes }: Options) {
  const { backupDir, backupKey: key } = env;
  await ensureBackupFolder(backupDir);
  await requireRoom(pool, backupDir, free);
  const check = () => {
    if (free(backupDir) < RESERVED_BYTES) throw new BackupRefused(`the disk of ${backupDir} is full`);
  };
  const send = (to: Writable) => sendBackup(pool, to, { key, check, signal, ...(pace && { pace }) });
  const { header, counts } = await writeBackupFile(send, join(backupDir, name), { key, signal });
  const { size } = await stat(join(backupDir, name));
  return { bytes: size, rows: sum(Object.values(counts)), schema: header.schema };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

async function requireRoom(pool: Pool, folder: string, free: (folder: string) => number) {
  const [needed, usable] = [await estimateBytes(pool, folder), free(folder) - RESERVED_BYTES];
  if (needed <= usable) return;
  const [some, left] = [needed, Math.max(usable, 0)].map((bytes) => `${Math.ceil(bytes / MIB)} MB`);
  throw new BackupRefused(`a backup needs about ${some}, and ${folder} has room for ${left}; nothing was written`);
}

/** Before the first one, as if nothing could be compressed. */
async function estimateBytes(pool: Pool, folder: string): Promise<number> {
  const newestFirst = (await listBackupFiles(folder)).toSorted((a, b) => b.at.getTime() - a.at.getTime());
  if (newestFirst[0]) return newestFirst[0].bytes * GROWTH;
  const client = await pool.connect();
  try {
    const names = (await backedUpTables(client)).map(({ name }) => quoteIdentifier(name));
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT sum(pg_table_size(name::regclass)) AS bytes FROM unnest($1::text[]) AS name',
      [names],
    );
    return Number(rows[0]?.bytes ?? 0);
  } finally {
    client.release();
  }
}
