import { clsx } from 'clsx';
import { memo } from 'react';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import type { ListState } from '#web/leads/list/list-state.ts';
import { CellEditor } from './CellEditor.tsx';
import { CellValue, RowActions, toEditable } from './GridCells.tsx';
import type { ChosenColumn } from './grid-columns.ts';

interface Props {
  item: ListedLead;
  viewer: Viewer;
  /** Counted from the first of the page. */
  row: number;
  chosen: ChosenColumn[];
  density: ListState['density'];
  selected: boolean;
  highlighted: boolean;
  /** The column of the cell that Tab reaches, if it is in this row. */
  activeColumn: number | undefined;
  /** The columns of the cells in this row that are edited, separated by commas. */
  editedColumns: string;
  onToggle: (id: number) => void;
  onLog: (item: ListedLead) => void;
  /** A text was typed in a cell. */
  onType: (cell: EditedCell, typed: TypedCell) => void;
  /** An editor was closed. By key, its cell takes the focus again. */
  onClose: (by: 'key' | 'blur', cell: EditedCell) => void;
}

export interface EditedCell {
  id: number;
  column: string;
  /** Where it is. */
  row: number;
  nth: number;
}

export interface TypedCell {
  business: string;
  /** The name of the column. */
  label: string;
  text: string;
}

/** Drawn again only when something in it changes: not while a column is resized. */
export const GridRow = memo(function GridRow(props: Props) {
  const { item, viewer, row, chosen, density, selected, highlighted, activeColumn, editedColumns } = props;
  const { onToggle, onLog, onType, onClose } = props;
  const { id } = item.userBusiness;
  const cellClass = clsx('truncate border-b border-line px-3', density === 'compact' ? 'py-0.5' : 'py-2');
  const background = selected ? 'bg-paper' : 'bg-surface';
  return (
    <tr data-highlighted={highlighted || undefined} className={background}>
      <td className={cellClass}>
        <Checkbox label={`Select ${item.business.name}`} labelHidden checked={selected} onChange={() => onToggle(id)} />
      </td>
      {chosen.map((column, nth) => {
        const edited = editedColumns.split(',').includes(column.id) && toEditable(column);
        return (
          <td
            key={column.id}
            tabIndex={activeColumn === nth ? 0 : -1}
            data-row={row}
            data-column={nth}
            className={clsx(
              cellClass,
              nth === 0 && [background, 'sm:sticky sm:left-0 sm:z-10'],
              'focus-visible:-outline-offset-2',
            )}
          >
            {edited ? (
              <CellEditor
                item={item}
                column={edited}
                label={column.label}
                onType={(text) =>
                  onType(
                    { id, column: column.id, row, nth },
                    { business: item.business.name, label: column.label, text },
                  )
                }
                onClose={(by) => onClose(by, { id, column: column.id, row, nth })}
              />
            ) : (
              <CellValue item={item} column={column} />
            )}
          </td>
        );
      })}
      <td className={clsx(cellClass, background, 'lg:sticky lg:right-0 lg:z-10 lg:border-l')}>
        <RowActions item={item} viewer={viewer} onLog={() => onLog(item)} />
      </td>
    </tr>
  );
});
