import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/CountedProgress.tsx';
import { useCancelBulkJob, useRunningBulkJob } from './bulk-jobs.data.ts';

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

function RunningJob({ job: { id, verb, done, total } }: { job: BulkJob }) {
  const cancel = useCancelBulkJob(id);
  return (
    <section
      aria-label="Bulk action"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="flex min-w-48 flex-1 flex-col gap-1">
        <p className="text-sm font-medium">Changing leads</p>
        <CountedProgress label="Leads changed" done={done} total={total} />
        <p className="text-sm text-muted">
          You can leave this page.{verb !== 'delete' && ' What is done can be undone afterwards.'}
        </p>
      </div>
      <Button variant="secondary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    </section>
  );
}
