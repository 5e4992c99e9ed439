import { Download, Tag } from 'lucide-react';
import { IMPORT_COLUMNS } from '#contract/import/import-target.ts';
import { COLUMN_HINT, EXAMPLE_ROW, saveTemplate } from '#web/import/csv-files.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';

/** The expected columns, with an example of each. */
export function FormatPanel() {
  return (
    <Card className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">CSV Format Requirements</h2>
        <p className="text-sm text-muted">
          The first row names the columns, in any order. Only Business Name is required. Commas, semicolons and tabs are
          understood. At most 50 MB and 250,000 rows.
        </p>
        <p className="text-sm">
          <span className="font-medium">Other headings?</span> You choose the columns in the next step, and for an Excel
          file the sheet. Nothing is imported before you have seen what will happen.
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Columns, with an example row</h3>
        <dl className="divide-y divide-line rounded-md border border-line text-sm">
          {IMPORT_COLUMNS.map((column) => (
            <div key={column} className="flex flex-col gap-1 px-3 py-2">
              <dt className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">{column}</span>
                <span className="text-xs text-muted">{COLUMN_HINT[column]}</span>
              </dt>
              <dd className="text-muted">{EXAMPLE_ROW[column] || <i>empty</i>}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="flex items-start gap-2 rounded-md bg-info-soft px-4 py-3 text-sm text-info-text">
        <Tag aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        All imported businesses automatically get the "Imported" tag.
      </p>
      <Button variant="secondary" onClick={saveTemplate}>
        <Download aria-hidden="true" />
        Download Template
      </Button>
    </Card>
  );
}
