import { defineJob } from '#server/jobs/job-kind.ts';
import { classifyNext } from './classify-stored.sql.ts';

export const CLASSIFY = 'business-types';

const PER_STEP = 500;
const DAY_MS = 24 * 3_600_000;
/** Of the time, at most this share: after the upgrade there may be a million. */
const SHARE = 0.3;

/**
 * Gives stored businesses a type, in small steps: those from before types were stored, and, once a day, those that no word
 * was known for, because a release may know more.
 */
export const classifyJob = defineJob<{ after?: number }>({
  kind: CLASSIFY,
  everyMs: DAY_MS,
  step: async (tx, { input: { after = 0 } }) => {
    const begun = Date.now();
    const last = await classifyNext(tx, after, PER_STEP);
    if (last === undefined) return { end: true };
    return { input: { after: last }, pauseMs: (Date.now() - begun) * (1 / SHARE - 1) };
  },
});
