import { CircleAlert, CircleCheck, CircleX } from 'lucide-react';
import type { ImportJob } from '#contract/import/import-job.ts';
import { CorrectLink } from '#web/import/corrections/CorrectLink.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Counts } from './Counts.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { formatRows } from './describe-import.ts';
import { useContinueImport } from './import-jobs.data.ts';
import { StepHeading } from './StepHeading.tsx';

/** The result of an import that is done, cancelled or stopped. */
export function FinishedImport({ job, onBack }: { job: ImportJob; onBack: () => void }) {
  const continuing = useContinueImport(job.id);
  const { title, icon: Icon, className } = toAppearance(job);
  const { counts, correctable } = job;
  // A check that was stopped has imported nothing: its columns can still be changed.
  const unstarted = job.canContinue && counts.total === 0;
  return (
    <Card className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <Icon aria-hidden="true" className={`size-5 shrink-0 ${className}`} />
          <StepHeading>{title}</StepHeading>
        </div>
        {job.message && <p className="text-sm [overflow-wrap:anywhere]">{job.message}</p>}
      </div>
      {counts.total > 0 && (
        <Counts
          counts={[
            [job.state === 'done' ? 'Rows in the file' : 'Rows read', counts.total],
            ['New leads', counts.created],
            ['Already there', counts.alreadyThere],
            ['Repeated in the file', counts.repeated],
            ['Refused', counts.failed],
          ]}
        />
      )}
      {correctable > 0 && (
        <p className="text-sm text-muted">{formatRows(correctable)} can be corrected here, without another upload.</p>
      )}
      <div className="flex flex-wrap gap-2">
        {job.canContinue && (
          <Button busy={continuing.isPending} onClick={() => continuing.mutate(undefined)}>
            Continue
          </Button>
        )}
        {unstarted && (
          <>
            <Button variant="secondary" onClick={onBack}>
              Back to columns
            </Button>
            <DiscardButton id={job.id} />
          </>
        )}
        {correctable > 0 && (
          <CorrectLink id={job.id} rows={correctable} variant={job.canContinue ? 'secondary' : 'primary'} />
        )}
        {job.batchId && (
          <ButtonLink variant="secondary" href={`/crm?changes=${job.batchId}`}>
            View Leads
          </ButtonLink>
        )}
        {job.batchId && (
          <ButtonLink variant="secondary" href="/changes?kind=import">
            Undo in Recent changes
          </ButtonLink>
        )}
        <ButtonLink variant="secondary" href="/import">
          Import Another File
        </ButtonLink>
      </div>
    </Card>
  );
}

function toAppearance({ state, counts }: ImportJob) {
  if (state === 'cancelled') return { title: 'Import cancelled', icon: CircleX, className: 'text-muted' };
  if (state === 'stopped') return { title: 'Import stopped', icon: CircleAlert, className: 'text-danger-text' };
  if (counts.successful === 0) return { title: 'Nothing imported', icon: CircleAlert, className: 'text-warn-text' };
  return { title: 'Import Successful', icon: CircleCheck, className: 'text-good-text' };
}
