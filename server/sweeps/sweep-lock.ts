import { createJobLock } from '#server/kit/db/job-lock.ts';

/** One sweep at a time: more would share the provider's limits, and end no earlier. */
export const sweepLock = createJobLock(467_679);
