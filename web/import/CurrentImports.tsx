import { FileClock } from 'lucide-react';
import { useViewer } from '#web/auth/session.data.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { ProgressBar } from '#web/kit/ui/ProgressBar.tsx';
import { describeProgress, STATE_LABEL } from './describe-import.ts';
import { isActive, type ListedImport, useCancelImport } from './import-jobs.data.ts';

const isWaiting = ({ state }: ListedImport) => state === 'mapping' || state === 'checked';

/** The imports that are under way, and the viewer's latest one that waits for them. */
export function CurrentImports({ imports }: { imports: ListedImport[] }) {
  const { fullName } = useViewer();
  const waiting = imports.find((job) => isWaiting(job) && job.importedBy === fullName);
  const shown = [...imports.filter(isActive), ...(waiting ? [waiting] : [])];
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Current imports" className="flex flex-col gap-2">
      {shown.map((job) => (
        <CurrentImport key={job.id} job={job} />
      ))}
    </ul>
  );
}

function CurrentImport({ job }: { job: ListedImport }) {
  const { id, fileName, state, progress } = job;
  const cancel = useCancelImport(id);
  const stoppable = state === 'checking' || state === 'running';
  return (
    <li className="flex flex-col gap-3 rounded-md bg-info-soft px-4 py-3 text-sm text-info-text">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 items-start gap-2">
          <FileClock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="font-semibold">{fileName}:</span> {describe(job)}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink variant="secondary" size="sm" href={`/import/${id}`}>
            {isWaiting(job) ? 'Continue' : 'Open'} <span className="sr-only">{fileName}</span>
          </ButtonLink>
          {stoppable && (
            <Button variant="secondary" size="sm" busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
              Cancel <span className="sr-only">the import of {fileName}</span>
            </Button>
          )}
        </div>
      </div>
      {isActive(job) && <ProgressBar label={`Progress of ${fileName}`} percent={progress.share * 100} pulsesWhenFull />}
    </li>
  );
}

/** "3,500 of about 10,000 rows", "checking, 200 rows so far", "waits for its columns" */
function describe(job: ListedImport): string {
  if (job.state === 'running') return describeProgress(job);
  const state = STATE_LABEL[job.state].toLowerCase();
  return isActive(job) ? `${state}, ${describeProgress(job)}` : state;
}
