import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupKind } from '#contract/backup/backup.ts';

/** A backup that the product made by itself, as its file is named. */
export interface BackupFile {
  name: string;
  kind: BackupKind;
  at: Date;
  /** Of the database before it was migrated. */
  schema?: number | undefined;
}

const NAME = /^highstreet-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(nightly|manual|upgrade)(?:-from-(\d+))?\.backup$/;

/** highstreet-20260731T013000Z-nightly.backup, or …-upgrade-from-31.backup. */
export function formatBackupName({ kind, at, schema }: Omit<BackupFile, 'name'>): string {
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '');
  return `highstreet-${stamp}-${kind}${schema === undefined ? '' : `-from-${schema}`}.backup`;
}

/** Undefined for a file of another origin, which is never deleted. */
export function parseBackupName(name: string): BackupFile | undefined {
  const [, year, month, day, hour, minute, second, kind, schema] = NAME.exec(name) ?? [];
  if (!kind) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return { name, kind: kind as BackupKind, at, schema: schema === undefined ? undefined : Number(schema) };
}

/** Only the account of the product may enter it. */
export const ensureBackupFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 });

export async function listBackupFiles(folder: string): Promise<(BackupFile & { bytes: number })[]> {
  const files = (await namesIn(folder)).map(parseBackupName).filter((file) => file !== undefined);
  return Promise.all(files.map(async (file) => ({ ...file, bytes: (await stat(join(folder, file.name))).size })));
}

/** What a killed process left. For the process that may make backups of these kinds now. */
export async function removeUnfinished(folder: string, kinds: BackupKind[]) {
  for (const name of await namesIn(folder)) {
    const [file = '', process] = name.split('.unfinished-');
    const kind = parseBackupName(file)?.kind;
    if (process && kind && kinds.includes(kind)) await rm(join(folder, name), { force: true });
  }
}

/** None where no backup was made yet. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
