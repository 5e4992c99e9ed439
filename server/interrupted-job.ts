import { stopInterruptedImports } from './import/stop-interrupted.ts';
import { defineJob } from './jobs/job-kind.ts';
import type { Db } from './kit/db/db.ts';
import { stopInterruptedSweeps } from './sweeps/sweeps.sql.ts';

/** How soon an import or a sweep is shown as stopped whose process has ended. */
const INTERVAL_MS = 5_000;

/** Ends imports and sweeps of processes that have ended. */
export async function stopInterrupted(db: Db) {
  await stopInterruptedImports(db);
  await stopInterruptedSweeps(db);
}

export const interruptedJob = defineJob<object>({
  kind: 'interrupted',
  everyMs: INTERVAL_MS,
  step: async (tx) => {
    await stopInterrupted(tx);
    return { end: true };
  },
});
