import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Job } from '#contract/jobs/job.ts';
import { cancelJob } from '#contract/jobs/jobs.calls.ts';
import { send } from '#web/kit/api.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from './Button.tsx';
import { ProgressBar } from './ProgressBar.tsx';

interface Props {
  label: string;
  /** How far it is: "3,000 of about 10,000 rows". */
  text: string;
  /** 0 to 1. */
  share: number;
  /** False for one that has ended, or waits for its user. */
  running?: boolean;
  /** What else there is to know. */
  children?: ReactNode;
  /** What ends or pauses it. */
  buttons?: ReactNode;
}

/** How far a job is. The server goes on with it, whether this is shown or not. */
export function JobProgress({ label, text, share, running = true, children, buttons }: Props) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap justify-between gap-3 text-sm">
        <p className="tabular-nums">{text}</p>
        <p className="text-muted tabular-nums">{Math.floor(share * 100)}%</p>
      </div>
      <ProgressBar label={label} percent={share * 100} valueText={text} pulsesWhenFull={running} />
      {/* Changes at every quarter, not every second. */}
      <p role="status" className="sr-only">
        {running && share >= 0.25 && `${Math.floor(share * 4) * 25}% done`}
      </p>
      {children}
      {buttons && <div className="flex flex-wrap items-center gap-3 empty:hidden">{buttons}</div>}
    </div>
  );
}

interface Counted {
  label: string;
  done: number;
  total: number;
}

/** Of work that is counted. */
export function CountedProgress({ done, total, ...rest }: Counted & Pick<Props, 'label' | 'children' | 'buttons'>) {
  const text = `${formatCount(done)} of ${formatCount(total)} done`;
  return <JobProgress text={text} share={total ? done / total : 0} {...rest} />;
}

interface UserJob extends Counted {
  /** Undefined until the server has started it. */
  jobId: string | undefined;
  canCancel?: boolean;
  /** Once it was cancelled; how it ended is shown by who follows it. */
  onCancelled?: (job: Job) => void;
  /** What else there is to know. */
  children?: ReactNode;
}

/** Of a job that the viewer has started. */
export function UserJobProgress({ jobId, canCancel = false, onCancelled, children, ...counted }: UserJob) {
  const cancel = useMutation({
    mutationFn: (id: string) => send(cancelJob, { params: { jobId: id } }),
    onSuccess: (job) => onCancelled?.(job),
    meta: { errorTitle: 'Failed to cancel' },
  });
  if (!jobId) return <CountedProgress {...counted} />;
  const button = (
    <Button variant="secondary" busy={cancel.isPending} onClick={() => cancel.mutate(jobId)}>
      Cancel
    </Button>
  );
  return (
    <CountedProgress {...counted} buttons={canCancel && button}>
      <p className="text-sm text-muted">It goes on if you leave this page.{children}</p>
    </CountedProgress>
  );
}
