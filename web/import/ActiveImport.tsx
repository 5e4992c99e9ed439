import type { ImportJob } from '#contract/import/import-job.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { JobProgress } from '#web/kit/ui/JobProgress.tsx';
import { describeProgress } from './describe-import.ts';
import { useCancelImport } from './import-jobs.data.ts';
import { StepHeading } from './StepHeading.tsx';

const TEXT = {
  uploading: {
    title: 'Uploading',
    explanation: 'The file is being received.',
  },
  checking: {
    title: 'Checking the file',
    explanation: 'Every row is checked. Nothing is imported yet. You can leave this page and come back.',
  },
  running: {
    title: 'Importing',
    explanation: 'You can leave this page: the import goes on. The bell reports when it is done.',
  },
};

/** The progress of an import that is being uploaded, checked or run. */
export function ActiveImport({ job }: { job: ImportJob }) {
  const cancel = useCancelImport(job.id);
  // The server confirms at once, and stops after the current batch.
  const cancelling = cancel.isPending || cancel.isSuccess;
  const state = job.state === 'uploading' || job.state === 'checking' ? job.state : 'running';
  const { title, explanation } = TEXT[state];
  return (
    <Card className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-col gap-1">
        <StepHeading>{title}</StepHeading>
        <p className="text-sm text-muted">{explanation}</p>
      </div>
      <JobProgress
        label={title}
        text={describeProgress(job)}
        share={job.progress.share}
        buttons={
          state !== 'uploading' && (
            <>
              <Button variant="secondary" busy={cancelling} onClick={() => cancel.mutate(undefined)}>
                {cancelling ? 'Cancelling...' : 'Cancel'}
              </Button>
              {state === 'running' && (
                <p className="text-sm text-muted">Cancel stops after the current batch; imported rows stay.</p>
              )}
            </>
          )
        }
      />
    </Card>
  );
}
