import { setTimeout as wait } from 'node:timers/promises';
import { startBackup } from '#server/backup/backup-job.ts';
import { type BackupRecord, listBackups } from '#server/backup/backups.sql.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { peakMemoryMb } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable, quantile } from '../measure/statistics.ts';
import { createUsers } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { timeListDuring } from './import.ts';

const MIB = 1024 * 1024;
const IDLE_MS = 30_000;
const LONG_MS = 3_600_000;
/** Of the list's times (95%) while nothing else runs. */
const LIMIT = 1.5;

/** A backup and its proof, and how other users' lists respond meanwhile. */
export const backupBench: Bench = {
  title: 'Backup and proof',
  run: ([size = '1000000']) =>
    withCleanup(async (defer) => {
      const leads = Number(size);
      const { database, pool, env } = await startDatabase(defer);
      await generateLeads(pool, leads);
      const { rows } = await pool.query('select pg_database_size(current_database()) as bytes');
      const [other] = await createUsers(pool, 1);
      if (!other) throw new Error('a user is needed');
      const { url, processId } = await startProduct(defer, { env });
      const reached = async (isReached: (backup: BackupRecord) => boolean) => {
        const look = async () => (await listBackups(database.db, 1)).some(isReached);
        if (!(await waitUntil(look, LONG_MS, 50))) throw new Error('It did not end.');
      };

      await timeListDuring(url, other.cookie, () => wait(3_000));
      const idle = await timeListDuring(url, other.cookie, () => wait(IDLE_MS));
      let [during, proving]: [number[], number[]] = [[], []];
      const memory = await peakMemoryMb(processId, async () => {
        await database.db.transaction(startBackup);
        await reached(() => true);
        during = await timeListDuring(url, other.cookie, () => reached(({ finishedAt }) => finishedAt !== null));
        proving = await timeListDuring(url, other.cookie, () =>
          reached(({ proofFinishedAt }) => proofFinishedAt !== null),
        );
      });
      const [backup] = await listBackups(database.db, 1);
      if (backup?.proof !== 'passed') throw new Error(`It failed: ${backup?.error ?? backup?.proofMessage}`);

      const seconds = (Date.parse(backup.finishedAt ?? '') - Date.parse(backup.startedAt)) / 1_000;
      const limit = LIMIT * quantile(idle, 0.95);
      const times = (list: number[]) => `${formatTimes(list)}${quantile(list, 0.95) > limit ? ' (FAIL)' : ''}`;
      const table = [
        ['nothing else', '', times(idle)],
        ['the backup', `${formatNumber(seconds)} s`, times(during)],
        ['its proof', `${formatNumber((backup.proofMs ?? 0) / 1_000)} s`, times(proving)],
      ];
      const [whole, file] = [Number(rows[0].bytes), backup.bytes ?? 0].map((bytes) => formatNumber(bytes / MIB));
      const text = `${formatNumber(leads)} leads, ${formatNumber(backup.rows ?? 0)} rows: the database has ${whole} MB, the backup ${file} MB. \
Peak memory of the process: ${memory} MB. The limit of the list is ${LIMIT} times its 95% while nothing else runs.`;
      const head = ['while there runs', 'time', "another user's list (median / 95% / max)"];
      return { text: `${markdownTable(head, table)}\n\n${text}`, ratios: {} };
    }),
};
