import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { createPeriodicJob } from '#server/kit/periodic-job.ts';
import { compareBusinesses, markComplete } from './compare-businesses.ts';
import { refreshKeys } from './refresh-keys.ts';

const INTERVAL_MS = 10_000;
/** The longest that one run takes, so that a large import does not keep the database busy for minutes. */
const RUN_MS = 2_000;

/** Looks for duplicates in small steps. Every process runs it; rows that another one compares are skipped. */
export const createDuplicateJob = ({ db, log }: { db: Db; log: Logger }) =>
  createPeriodicJob({
    intervalMs: INTERVAL_MS,
    work: async (stopping) => {
      const end = Date.now() + RUN_MS;
      while (!stopping() && Date.now() < end) {
        if (await findDuplicates(db)) return;
      }
    },
    onError: (error) => log.warn({ err: error }, 'duplicates not looked for, will try again'),
  });

/** One step. Returns whether everything is compared. */
export async function findDuplicates(db: Db): Promise<boolean> {
  requireFreeSpace(db);
  const { done } = await refreshKeys(db);
  const compared = await compareBusinesses(db);
  if (!done || compared) return false;
  await markComplete(db);
  return true;
}
