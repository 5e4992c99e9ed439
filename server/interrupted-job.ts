import { stopInterruptedImports } from './import/stop-interrupted.ts';
import { defineJob } from './jobs/job-kind.ts';
import type { Db } from './kit/db/db.ts';

/** How soon an import is shown as stopped whose process has ended. */
const INTERVAL_MS = 5_000;

/** Ends imports of processes that have ended. */
export async function stopInterrupted(db: Db) {
  await stopInterruptedImports(db);
}

export const interruptedJob = defineJob<object>({
  kind: 'interrupted',
  everyMs: INTERVAL_MS,
  step: async (tx) => {
    await stopInterrupted(tx);
    return { end: true };
  },
});
