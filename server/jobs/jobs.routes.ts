import { Refusal } from '#contract/errors.ts';
import { cancelJob, getJob } from '#contract/jobs/jobs.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findJob, type JobRecord, toJob } from './jobs.sql.ts';

export function jobRoutes(app: App, { db, guard, jobs }: Deps) {
  serve(app, guard, getJob, async ({ viewer, params: { jobId } }) => {
    return requireJob(await findJob(db, { id: jobId, userId: viewer.id }));
  });
  serve(app, guard, cancelJob, ({ viewer, params: { jobId } }) =>
    db.transaction(async (tx) => requireJob(await jobs.cancelJob(tx, jobId, viewer.id))),
  );
}

function requireJob(job: JobRecord | undefined) {
  if (!job) throw new Refusal('not_found', 'This job no longer exists');
  return toJob(job);
}
