import { useCallback, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import type { EditedCell, TypedCell } from './GridRow.tsx';
import type { GridColumns } from './grid-columns.ts';

type CellRef = Pick<EditedCell, 'id' | 'column'>;
type Typed = (TypedCell & CellRef)[];

const isSame = (a: CellRef, b: CellRef) => a.id === b.id && a.column === b.column;

/** What is typed in cells and not saved. */
export function useTypedCells() {
  const [typed, setTyped] = useState<Typed>([]);
  const keep = useCallback(({ id, column }: CellRef, cell: TypedCell) => {
    const next = { id, column, ...cell };
    setTyped((cells) => [...cells.filter((each) => !isSame(each, next)), next]);
  }, []);
  const discard = useCallback((cell: CellRef) => {
    setTyped((cells) =>
      cells.some((each) => isSame(each, cell)) ? cells.filter((each) => !isSame(each, cell)) : cells,
    );
  }, []);
  return { typed, keep, discard };
}

interface Props {
  typed: Typed;
  columns: GridColumns;
  onDiscard: (cell: CellRef) => void;
}

/** What was typed in a column that is none any more: its field was archived, deleted or taken out of the table. */
export function LeftOverCells({ typed, columns, onDiscard }: Props) {
  return typed
    .filter(({ column }) => !columns.has(column))
    .map((cell) => (
      <div
        key={`${cell.id} ${cell.column}`}
        role="status"
        className="mb-3 flex flex-wrap items-start gap-2 rounded-md border border-line p-3 text-sm"
      >
        <p className="w-full">
          “{cell.label}” is no longer a column, so that this was not saved for {cell.business}:
        </p>
        <p className="min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 whitespace-pre-line [overflow-wrap:anywhere]">
          {cell.text}
        </p>
        <Button variant="secondary" size="sm" onClick={() => onDiscard(cell)}>
          Discard
        </Button>
      </div>
    ));
}
