import { describeProgress } from '#web/import/describe-import.ts';
import type { ListedImport } from '#web/import/import-jobs.data.ts';
import { ProgressBar } from '#web/kit/ui/ProgressBar.tsx';
import { type Progress, useProgress } from './upload-progress.ts';

interface Props {
  sent: Progress;
  /** The import of the file, once the server has received all of it. */
  job: ListedImport | undefined;
}

/** The share of the file that was sent, and then the share that was imported. */
export function ImportProgress({ sent, job }: Props) {
  const sentShare = useProgress(sent);
  const share = job?.progress.share ?? sentShare;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-3 text-sm">
        <p role="status" className="font-medium">
          Uploading and processing...
        </p>
        <p aria-hidden="true" className="text-muted tabular-nums">
          {job ? describeProgress(job) : `${Math.floor(share * 100)}%`}
        </p>
      </div>
      <ProgressBar label="Import progress" percent={share * 100} pulsesWhenFull />
      <p className="text-sm text-muted">You can go on working. Rows that are imported stay when you cancel.</p>
    </div>
  );
}
