import { type Progress, useProgress } from './upload-progress.ts';

/** The share of the file that was sent. The server reads no faster than it imports, so this is the import's progress. */
export function ImportProgress({ sent }: { sent: Progress }) {
  const share = useProgress(sent);
  const percent = Math.floor(share * 100);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-3 text-sm">
        <p role="status" className="font-medium">
          Uploading and processing...
        </p>
        <p aria-hidden="true" className="text-muted tabular-nums">
          {percent}%
        </p>
      </div>
      <div
        role="progressbar"
        aria-label="Import progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        <div
          className={`h-full rounded-full bg-pine transition-[width] ${share < 1 ? '' : 'animate-pulse'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="text-sm text-muted">You can go on working. Rows that are imported stay when you cancel.</p>
    </div>
  );
}
