import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Job } from '#contract/jobs/job.ts';
import { cancelJob } from '#contract/jobs/jobs.calls.ts';
import { send } from '#web/kit/api.ts';
import { Button } from './Button.tsx';
import { CountedProgress } from './CountedProgress.tsx';

interface Props {
  label: string;
  done: number;
  total: number;
  /** Undefined until the server has started it. */
  jobId: string | undefined;
  canCancel?: boolean;
  /** Once it was cancelled; how it ended is shown by who follows it. */
  onCancelled?: (job: Job) => void;
  /** What else there is to know. */
  children?: ReactNode;
}

/** How far a job is. The server goes on with it, whether this is shown or not. */
export function JobProgress({ label, done, total, jobId, canCancel = false, onCancelled, children }: Props) {
  const cancel = useMutation({
    mutationFn: (id: string) => send(cancelJob, { params: { jobId: id } }),
    onSuccess: (job) => onCancelled?.(job),
    meta: { errorTitle: 'Failed to cancel' },
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div aria-live="polite" className="flex min-w-48 flex-1 flex-col gap-1">
        <CountedProgress label={label} done={done} total={total} />
        {jobId && <p className="text-sm text-muted">It goes on if you leave this page.{children}</p>}
      </div>
      {canCancel && jobId && (
        <Button variant="secondary" busy={cancel.isPending} onClick={() => cancel.mutate(jobId)}>
          Cancel
        </Button>
      )}
    </div>
  );
}
