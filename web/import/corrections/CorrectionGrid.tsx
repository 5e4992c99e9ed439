// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { FileColumn, RefusedImportRow } from '#contract/import/import-job.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { lineControlClass } from '#web/kit/ui/forms/Field.tsx';
import { CardTable } from '#web/kit/ui/tables/CardTable.tsx';
import { useTypedCells } from './corrections.data.ts';

const PAGE_ROWS = 100;

interface Props {
  importId: string;
  columns: FileColumn[];
  rows: RefusedImportRow[];
}

/** Up, Down and Enter change the row. */
export function CorrectionGrid({ importId, columns, rows }: Props) {
  const [limit, setLimit] = useState(PAGE_ROWS);
  const region = useRef<HTMLElement>(null);
  const showMore = () => {
    setLimit(limit + PAGE_ROWS);
    // The pressed button disappears with the last rows.
    if (rows.length <= limit + PAGE_ROWS) region.current?.focus();
  };
  // Chosen once: columns must not move while someone types.
  const [shownColumns] = useState(() => orderColumns(columns, rows));
  return (
    <div className="flex flex-col gap-3">
      <section
        ref={region}
        aria-label="Rows to correct"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
        className="lg:scroll-pl-76 lg:overflow-x-auto lg:rounded-lg lg:border lg:border-line lg:bg-surface"
      >
        <CardTable
          label="Rows to correct"
          head={
            <>
              <th role="columnheader" scope="col" className="sticky left-0 bg-paper px-4 py-3">
                Row
              </th>
              {shownColumns.map((column) => (
                <th
                  key={column.index}
                  role="columnheader"
                  scope="col"
                  className="px-2 py-3 align-top whitespace-nowrap"
                >
                  {toColumnName(column)}
                  {column.heading.trim() !== '' && column.heading !== column.target && (
                    <span className="block font-normal">{column.target}</span>
                  )}
                </th>
              ))}
            </>
          }
          onKeyDown={moveBetweenRows}
        >
          {rows.slice(0, limit).map((row) => (
            <CorrectionRow key={row.row} importId={importId} columns={shownColumns} refused={row} />
          ))}
        </CardTable>
      </section>
      {rows.length > limit && (
        <Button variant="secondary" className="self-start" onClick={showMore}>
          Show more rows
        </Button>
      )}
    </div>
  );
}

type ShownColumn = FileColumn & { index: number };

/** The business name first, then the columns with wrong cells, which would otherwise be out of sight in a wide file. */
function orderColumns(columns: FileColumn[], rows: RefusedImportRow[]): ShownColumn[] {
  const wrong = new Set(rows.flatMap((row) => row.wrong));
  const rank = ({ target, index }: ShownColumn) => (target === 'Business Name' ? 0 : wrong.has(index) ? 1 : 2);
  return columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ target }) => target !== 'Ignore')
    .sort((one, other) => rank(one) - rank(other));
}

const toColumnName = ({ heading, target }: FileColumn) => heading.trim() || target;

interface RowProps {
  importId: string;
  columns: ShownColumn[];
  refused: RefusedImportRow;
}

function CorrectionRow({ importId, columns, refused: { row, reason, wrong, cells } }: RowProps) {
  const [typed, change] = useTypedCells(importId, row, cells);
  const reasonId = useId();
  return (
    <tr
      role="row"
      className="max-lg:grid max-lg:gap-3 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card"
    >
      <th
        role="rowheader"
        scope="row"
        className="left-0 bg-surface text-left font-normal lg:sticky lg:w-72 lg:min-w-72 lg:px-4 lg:py-3 lg:align-top"
      >
        <span className="font-semibold">Row {row}</span>
        <span id={reasonId} className="mt-1 flex items-start gap-1 text-danger-text [overflow-wrap:anywhere]">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {reason}
        </span>
      </th>
      {columns.map((column) => (
        <td key={column.index} role="cell" className="lg:px-1 lg:py-2 lg:align-top">
          <CellInput
            name={toColumnName(column)}
            row={row}
            column={column.index}
            text={typed[column.index] ?? ''}
            reasonId={wrong.includes(column.index) ? reasonId : undefined}
            onChange={change}
          />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  name: string;
  row: number;
  column: number;
  text: string;
  /** Of the reason why the cell is wrong. */
  reasonId: string | undefined;
  onChange: (column: number, text: string) => void;
}

function CellInput({ name, row, column, text, reasonId, onChange }: CellProps) {
  return (
    <label className="flex flex-col gap-1">
      <span aria-hidden="true" className="font-medium lg:hidden">
        {name}
      </span>
      <input
        aria-label={`Row ${row}, ${name}`}
        aria-invalid={reasonId !== undefined || undefined}
        aria-describedby={reasonId}
        data-column={column}
        autoComplete="off"
        spellCheck={false}
        className={clsx(
          lineControlClass,
          'min-w-44 px-2',
          'aria-invalid:bg-danger-soft',
          !reasonId && 'lg:border-line',
        )}
        value={text}
        onChange={({ currentTarget }) => onChange(column, currentTarget.value)}
      />
    </label>
  );
}

/** Down and Enter lead to the same column of the next row, Up and Shift Enter to that of the row before. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const { target, key, shiftKey, nativeEvent } = event;
  if (nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return;
  if (!['ArrowUp', 'ArrowDown', 'Enter'].includes(key)) return;
  // Enter would submit the form.
  event.preventDefault();
  const row = target.closest('tr');
  const up = key === 'ArrowUp' || (key === 'Enter' && shiftKey);
  const next = up ? row?.previousElementSibling : row?.nextElementSibling;
  const input = next?.querySelector<HTMLInputElement>(`[data-column="${target.dataset.column}"]`);
  input?.focus();
  input?.select();
}
