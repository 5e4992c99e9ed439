import { useState } from 'react';
import type { ImportJob } from '#contract/import/import-job.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ActiveImport } from './ActiveImport.tsx';
import { CheckedImport } from './CheckedImport.tsx';
import { STATE_LABEL } from './describe-import.ts';
import { FinishedImport } from './FinishedImport.tsx';
import { NO_DECISIONS } from './import-decisions.ts';
import { isActive, useImportJob } from './import-jobs.data.ts';
import { MatchColumns } from './MatchColumns.tsx';
import { useStepFocus } from './StepHeading.tsx';

/** One import, from its columns to its result. */
export function ImportJobScreen({ id }: { id: string }) {
  const job = useImportJob(id);
  return (
    <Page
      title={job.data ? `Import of ${job.data.fileName}` : 'Import'}
      back={{ href: '/import', label: 'Back to Import' }}
    >
      {job.isPending && <Loading label="Loading the import…" />}
      {job.isLoadingError && <ImportUnavailable error={job.error} onRetry={() => void job.refetch()} />}
      {job.isRefetchError && <Notice tone="danger">The import could not be refreshed: {job.error.message}</Notice>}
      {job.data && (
        <>
          {/* Announces the steps that follow one another on their own. */}
          <p role="status" className="sr-only">
            {STATE_LABEL[job.data.state]}
          </p>
          <ImportStep job={job.data} />
        </>
      )}
    </Page>
  );
}

function ImportStep({ job }: { job: ImportJob }) {
  /** Whether the columns are shown again after a check. */
  const [reopened, setReopened] = useState(false);
  // Here, so that they outlive a check with another choice of users.
  const [decisions, setDecisions] = useState(NO_DECISIONS);
  const matching = job.state === 'mapping' || (reopened && !isActive(job) && job.counts.total === 0);
  const container = useStepFocus(matching ? 'mapping' : job.state);
  const reopen = () => setReopened(true);
  // Of other columns, the rows are others.
  const forget = () => {
    setReopened(false);
    setDecisions(NO_DECISIONS);
  };
  return (
    <div ref={container}>
      {isActive(job) && <ActiveImport key={job.state} job={job} />}
      {matching && <MatchColumns job={job} onCheck={forget} />}
      {job.state === 'checked' && !matching && job.preview && (
        <CheckedImport job={job} preview={job.preview} decisions={decisions} onDecide={setDecisions} onBack={reopen} />
      )}
      {isFinished(job) && !matching && <FinishedImport job={job} onBack={reopen} />}
    </div>
  );
}

const isFinished = ({ state }: ImportJob) => state === 'done' || state === 'cancelled' || state === 'stopped';

function ImportUnavailable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <ErrorState
      title="This import could not be loaded"
      onRetry={onRetry}
      actions={
        <ButtonLink variant="secondary" href="/import">
          All Imports
        </ButtonLink>
      }
    >
      {error.message}
    </ErrorState>
  );
}
