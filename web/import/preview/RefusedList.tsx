import { useId } from 'react';
import type { RefusedImportRow } from '#contract/import/import-job.ts';
import { formatRows } from '#web/import/describe-import.ts';

interface Props {
  rows: RefusedImportRow[];
  /** Of the whole file; the list may have only the first ones. */
  total: number;
}

export function RefusedList({ rows, total }: Props) {
  const headingId = useId();
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 id={headingId} className="font-semibold">
          Rows that are refused
        </h3>
        <p className="text-sm text-muted">
          The other rows are imported. Correct these afterwards on this page.
          {total > rows.length && ` The list has the first ${formatRows(rows.length)}.`}
        </p>
      </div>
      <section
        aria-labelledby={headingId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-md border border-line"
      >
        <ul className="divide-y divide-line text-sm">
          {rows.map(({ row, reason }) => (
            <li key={row} className="px-3 py-2 [overflow-wrap:anywhere]">
              Row {row}: {reason}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
