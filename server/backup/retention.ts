import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, toIsoDay, toLocalDate, toWeekday } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import type { Log } from '#server/kit/log.ts';
import { type BackupFile, listBackupFiles } from './backup-folder.ts';
import { deleteBackups } from './backups.sql.ts';

const DAYS = 7;
const WEEKS = 4;
const UPGRADES = 3;
const MANUAL = 5;

/**
 * The files to delete. Kept are the newest backup of each of the last 7 days that have one, the newest of each of the 4 weeks
 * before them, the newest of each of the last 3 schemas before a migration, and the last 5 that somebody asked for.
 */
export function chooseExpired<F extends BackupFile>(files: F[], timeZone: string): F[] {
  const newestFirst = files.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const ofKind = (kind: BackupFile['kind']) => newestFirst.filter((file) => file.kind === kind);
  const toDay = ({ at }: BackupFile) => toIsoDay(timeZone, at);
  const daily = newestOfEach(ofKind('nightly'), toDay).slice(0, DAYS);
  const [firstDay = ''] = daily.slice(-1).map(toDay);
  const older = ofKind('nightly').filter((file) => toDay(file) < firstDay);
  const weekly = newestOfEach(older, ({ at }) => formatWeek(timeZone, at)).slice(0, WEEKS);
  const upgrades = newestOfEach(ofKind('upgrade'), ({ schema }) => String(schema)).slice(0, UPGRADES);
  const kept = new Set([...daily, ...weekly, ...upgrades, ...ofKind('manual').slice(0, MANUAL)]);
  return newestFirst.filter((file) => !kept.has(file));
}

const newestOfEach = <F>(newestFirst: F[], group: (file: F) => string): F[] =>
  newestFirst.filter((file, nth) => newestFirst.findIndex((other) => group(other) === group(file)) === nth);

/** By its Monday. */
function formatWeek(timeZone: string, at: Date): string {
  const date = toLocalDate(timeZone, at);
  const { year, month, day } = addDays(date, 1 - toWeekday(date));
  return `${year}-${month}-${day}`;
}

/** After a new backup, which is complete even if this fails. */
export async function deleteExpired(db: Db, { backupDir, timeZone }: Pick<Env, 'backupDir' | 'timeZone'>, log: Log) {
  try {
    const names = chooseExpired(await listBackupFiles(backupDir), timeZone).map(({ name }) => name);
    for (const name of names) await rm(join(backupDir, name), { force: true });
    await deleteBackups(db, names);
  } catch (error) {
    log.warn({ err: error }, 'expired backups were not deleted');
  }
}
