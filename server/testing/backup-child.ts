import { setTimeout as pause } from 'node:timers/promises';
import { BACKUP, backupJob, startBackup } from '#server/backup/backup-job.ts';
import { createJobRunner } from '#server/jobs/job-runner.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';

// A process of its own for the fault tests, which can be killed: it goes on with a backup that was left, or makes one.

const env = readEnv(process.env);
const log = createLog('error');
const database = await openDatabase({ databaseUrl: env.databaseUrl ?? '', log });
const closing = new AbortController().signal;
const kinds = [backupJob({ database, env, clock: () => new Date(), log, closing })];
const runner = createJobRunner({ db: database.db, log, kinds });
await database.db.transaction(startBackup).catch(() => {});
// PostgreSQL may hold the job of a killed process for a moment, until it sees the end of that connection.
while ((await database.pool.query('SELECT FROM jobs WHERE kind = $1', [BACKUP])).rowCount) {
  await runner.run(BACKUP);
  await pause(50);
}
await runner.stop();
await database.close();
