import { Refusal } from '#contract/errors.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findJob, toJob } from './jobs.sql.ts';

export function jobRoutes(app: App, { db, guard }: Deps) {
  serve(app, guard, getJob, async ({ viewer, params: { jobId } }) => {
    const job = await findJob(db, { id: jobId, userId: viewer.id });
    if (!job) throw new Refusal('not_found', 'This job no longer exists');
    return toJob(job);
  });
}
