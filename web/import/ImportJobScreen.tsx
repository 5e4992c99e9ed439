import { useState } from 'react';
import type { ImportJob } from '#contract/import/import-job.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { MatchColumns } from '#web/import/mapping/MatchColumns.tsx';
import { CheckedImport } from '#web/import/preview/CheckedImport.tsx';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ActiveImport } from './ActiveImport.tsx';
import { STATE_LABEL } from './describe-import.ts';
import { FinishedImport } from './FinishedImport.tsx';
import { isActive, useImportJob } from './import-jobs.data.ts';
import { useStepFocus } from './StepHeading.tsx';

/** One import, from its columns to its result. */
export function ImportJobScreen({ id }: { id: string }) {
  const job = useImportJob(id);
  const unlocked = useUnlockedDrafts(useViewer().id);
  return (
    <Page
      title={job.data ? `Import of ${job.data.fileName}` : 'Import'}
      back={{ href: '/import', label: 'Back to Import' }}
    >
      {(job.isPending || (job.data && !unlocked)) && <Loading label="Loading the import…" />}
      {job.isLoadingError && <ImportUnavailable error={job.error} onRetry={() => void job.refetch()} />}
      {job.isRefetchError && <Notice tone="danger">The import could not be refreshed: {job.error.message}</Notice>}
      {job.data && unlocked && (
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
  const matching = job.state === 'mapping' || (reopened && !isActive(job) && job.counts.total === 0);
  const reopen = () => setReopened(true);
  // While the choices are counted, what they are about stays.
  const preview = job.state === 'checked' || job.state === 'checking' ? job.preview : null;
  const container = useStepFocus(matching ? 'mapping' : preview ? 'checked' : job.state);
  return (
    <div ref={container}>
      {isActive(job) && !preview && <ActiveImport key={job.state} job={job} />}
      {matching && <MatchColumns job={job} onCheck={() => setReopened(false)} />}
      {preview && !matching && <CheckedImport job={job} preview={preview} onBack={reopen} />}
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
