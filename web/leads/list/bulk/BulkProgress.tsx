import { useQueryClient } from '@tanstack/react-query';
import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import type { Viewer } from '#contract/users/user.ts';
import { UserJobProgress } from '#web/kit/ui/JobProgress.tsx';
import { showBulkJob, useRunningBulkJob } from './bulk-jobs.data.ts';

/** How far the viewer's bulk action is. It runs on the server, whether this is shown or not. */
export function BulkProgress({ viewer }: { viewer: Viewer }) {
  const job = useRunningBulkJob(viewer);
  return (
    <>
      <p role="status" className="sr-only">
        {job && 'Changing leads'}
      </p>
      {job && <RunningJob job={job} />}
    </>
  );
}

function RunningJob({ job }: { job: BulkJob }) {
  const queries = useQueryClient();
  return (
    <section
      aria-label="Bulk action"
      className="flex flex-col gap-1 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <p className="text-sm font-medium">Changing leads</p>
      <UserJobProgress
        label="Leads changed"
        done={job.done}
        total={job.total}
        jobId={job.id}
        canCancel
        onCancelled={(cancelled) => void showBulkJob(queries, { ...job, ...cancelled })}
      >
        {job.verb !== 'delete' && ' What is done can be undone afterwards.'}
      </UserJobProgress>
    </section>
  );
}
