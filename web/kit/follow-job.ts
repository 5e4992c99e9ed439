import type { Job } from '#contract/jobs/job.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import { ConnectionError, send } from './api.ts';

const POLL_MS = 500;

/** Waits for the end of a job, which the server runs whether this is called or not. Throws why it was stopped. */
export async function followJob(started: Job, onProgress: (job: Job) => void): Promise<Job> {
  let job = started;
  while (job.state === 'running') {
    onProgress(job);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    // Without a connection the server goes on.
    job = await send(getJob, { params: { jobId: started.id } }).catch((error: unknown) => {
      if (error instanceof ConnectionError) return job;
      throw error;
    });
  }
  if (job.state === 'stopped') throw new Error(job.message ?? 'It was stopped');
  return job;
}
