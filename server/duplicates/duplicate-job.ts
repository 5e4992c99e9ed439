import { defineJob } from '#server/jobs/job-kind.ts';
import type { Db } from '#server/kit/db/db.ts';
import { compareBusinesses, markComplete } from './compare-businesses.sql.ts';
import { refreshKeys } from './refresh-keys.sql.ts';

const INTERVAL_MS = 10_000;
/** Of the time, at most this share: after a large import there is work for minutes. */
const SHARE = 0.2;

/** Looks for duplicates in small steps. */
export const duplicateJob = defineJob<object>({
  kind: 'duplicates',
  everyMs: INTERVAL_MS,
  step: async (tx) => {
    const begun = Date.now();
    const end = await findDuplicates(tx);
    return { end, pauseMs: (Date.now() - begun) * (1 / SHARE - 1) };
  },
});

/** One step. Returns whether everything is compared. */
export async function findDuplicates(db: Db): Promise<boolean> {
  const { done } = await refreshKeys(db);
  const compared = await compareBusinesses(db);
  if (!done || compared) return false;
  await markComplete(db);
  return true;
}
