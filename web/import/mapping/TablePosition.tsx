import { type FormEvent, useEffect, useState } from 'react';
import type { ImportJob, ImportMapping } from '#contract/import/import-job.ts';
import { importMapping } from '#contract/import/import-job.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { looksLikeTitle } from './column-mapping.ts';

const MAX_HEADER_ROW = 100;

interface Props {
  job: ImportJob;
  /** Where the columns are being read, while they are. */
  moving: Position | undefined;
  onMove: (to: Position) => void;
}

type Position = Pick<ImportMapping, 'sheet' | 'headerRow'>;

/** The sheet, and the row of the headings. */
export function TablePosition({ job: { sheet, sheets, headerRow, columns }, moving, onMove }: Props) {
  const [rowText, setRowText] = useState(String(headerRow));
  const [error, setError] = useState<string>();
  // The server finds the row of the headings in another sheet.
  useEffect(() => setRowText(String(headerRow)), [headerRow]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = importMapping.shape.headerRow.safeParse(Number(rowText));
    setError(parsed.success ? undefined : `Enter a row from 1 to ${MAX_HEADER_ROW}`);
    if (parsed.success && parsed.data !== headerRow && !moving) onMove({ sheet, headerRow: parsed.data });
  };
  const title = columns.find(({ heading }) => heading.trim() !== '')?.heading ?? '';
  const hint = looksLikeTitle(columns.map(({ heading }) => heading))
    ? `Row ${headerRow} looks like a title${title && ` ("${title}")`}. In which row are the headings?`
    : undefined;

  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      {sheets.length > 0 && (
        <SelectField
          label="Sheet"
          className="w-full sm:w-60"
          options={sheets.map((name) => ({ value: name, label: name }))}
          // Not disabled meanwhile: the browser would take the focus away.
          value={(moving ?? { sheet }).sheet ?? ''}
          onChange={({ currentTarget: { value } }) =>
            !moving && value !== sheet && onMove({ sheet: value, headerRow: 1 })
          }
        />
      )}
      <form noValidate className="flex items-start gap-2 max-sm:w-full" onSubmit={submit}>
        <TextField
          label="Headings are in row"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_HEADER_ROW}
          className="min-w-0 grow sm:w-60"
          hint={hint}
          error={error}
          value={rowText}
          onChange={({ currentTarget }) => setRowText(currentTarget.value)}
        />
        <Button type="submit" variant="secondary" busy={moving !== undefined} className="mt-6 shrink-0">
          Use this row
        </Button>
      </form>
    </div>
  );
}
