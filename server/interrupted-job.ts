import { stopInterruptedImports } from './import/stop-interrupted.ts';
import type { Db } from './kit/db/db.ts';
import type { Logger } from './kit/log.ts';
import { createPeriodicJob } from './kit/periodic-job.ts';
import { stopInterruptedSweeps } from './sweeps/sweeps.sql.ts';

/** How soon an import or a sweep is shown as stopped whose process has ended. */
const INTERVAL_MS = 5_000;

/** Ends imports and sweeps of processes that have ended. Every process runs it. */
export const createInterruptedJob = ({ db, log }: { db: Db; log: Logger }) =>
  createPeriodicJob({
    intervalMs: INTERVAL_MS,
    work: async () => {
      await Promise.all([stopInterruptedImports(db), stopInterruptedSweeps(db)]);
    },
    onError: (error) => log.warn({ err: error }, 'interrupted imports and sweeps not ended, will try again'),
  });
