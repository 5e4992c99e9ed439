import { createJobLock } from '#server/kit/db/job-lock.ts';

/** One import at a time. */
export const importLock = createJobLock(467_678);
