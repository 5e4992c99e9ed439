import { CircleAlert, CircleCheck, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ImportResponse } from '#contract/import/import.calls.ts';
import { CorrectLink } from '#web/import/corrections/CorrectLink.tsx';
import { saveRefusedRows } from '#web/import/csv-files.ts';
import type { ListedImport } from '#web/import/import-jobs.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';

interface Props {
  response: ImportResponse;
  /** The import as the server keeps it, whose refused rows can be corrected. */
  job: ListedImport | undefined;
  onAnother: () => void;
}

/** The result of an import, with the errors of refused rows. */
export function ImportDone({ response: { importResults, message, refused }, job, onAnother }: Props) {
  const { total, successful, failed, errors } = importResults;
  // The file was read, but possibly all of its rows were refused.
  const Icon = successful > 0 ? CircleCheck : CircleAlert;
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone. On returning to the screen the page's title has the focus instead.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);

  return (
    <div className="flex flex-col gap-5">
      <div
        role="alert"
        className={`flex flex-col gap-4 rounded-md p-3 sm:p-4 ${successful > 0 ? 'bg-good-soft text-good-text' : 'bg-warn-soft text-warn-text'}`}
      >
        <div className="flex items-start gap-2">
          <Icon aria-hidden="true" className="mt-1 size-5 shrink-0" />
          <div className="min-w-0">
            <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold">
              Import Successful
            </h3>
            <p className="text-sm">{message}</p>
          </div>
        </div>
        <dl className="grid grid-cols-3 gap-2 sm:gap-3">
          <Count label="Total" count={total} />
          <Count label="Successful" count={successful} />
          <Count label="Failed" count={failed} />
        </dl>
      </div>
      {errors.length > 0 && <Errors errors={errors} refused={refused} job={job} />}
      {successful > 0 && (
        <p className="text-sm text-muted">
          The wrong file? Undo the import in{' '}
          <Link href="/changes?kind=import" className={linkClass}>
            Recent changes
          </Link>
          : leads that it created are deleted again, except those worked on since.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onAnother}>Import Another File</Button>
        <ButtonLink variant="secondary" href="/crm">
          View Leads
        </ButtonLink>
      </div>
    </div>
  );
}

function Count({ label, count }: { label: string; count: number }) {
  return (
    <div className="flex flex-col-reverse rounded-md bg-surface px-2 py-2 text-ink sm:px-3">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(count)}</dd>
    </div>
  );
}

interface ErrorsProps {
  errors: string[];
  refused: ImportResponse['refused'] | undefined;
  job: ListedImport | undefined;
}

/** An earlier version of the server does not send the refused rows; during an upgrade a page may be newer. */
function Errors({ errors, refused, job }: ErrorsProps) {
  return (
    <div className="flex flex-col gap-3">
      <h3 id="import-errors" className="font-semibold">
        Rows that were not imported
      </h3>
      <section
        aria-labelledby="import-errors"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-md border border-line"
      >
        <ul className="divide-y divide-line text-sm">
          {errors.map((error) => (
            <li key={error} className="px-3 py-2 break-words">
              {error}
            </li>
          ))}
        </ul>
      </section>
      {refused && <RefusedRows refused={refused} job={job} />}
    </div>
  );
}

function RefusedRows({ refused, job }: { refused: ImportResponse['refused']; job: ListedImport | undefined }) {
  const correctable = job?.correctable ?? 0;
  return (
    <>
      <p className="text-sm text-muted">
        {correctable > 0
          ? 'Correct these rows here, or download them and import the corrected file: '
          : 'Download these rows, correct them and import that file: '}
        every row says what was wrong with it.
        {refused.leftOut > 0 && ` The first ${formatCount(refused.rows.length)} are in it.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {job && correctable > 0 && <CorrectLink id={job.id} rows={job.correctable} variant="secondary" />}
        <Button variant="secondary" onClick={() => saveRefusedRows(refused)}>
          <Download aria-hidden="true" />
          Download Refused Rows
        </Button>
      </div>
    </>
  );
}
