import { randomUUID } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { startOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';

export const BACKUP = 'backup';

/** A backup that somebody asked for. One at a time, its proof included; `jobs.run(BACKUP)` begins it at once. */
export async function startBackup(tx: Db): Promise<void> {
  if (await startOwnJob(tx, { id: randomUUID(), kind: BACKUP, input: { kind: 'manual' } })) return;
  throw new Refusal('backup_running', 'A backup is being made or tried out. Please wait until that has ended.');
}
