import {
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { LogSheet } from '#web/leads/log/LogSheet.tsx';
import { CellEditor } from './CellEditor.tsx';
import { CellValue, isEditable, RowActions } from './GridCells.tsx';
import { GridHeader } from './GridHeader.tsx';
import { formatColumns, GRID_COLUMN, MAX_WIDTH, MIN_WIDTH, parseColumns } from './grid-columns.ts';
import type { LeadsProps } from './LeadCards.tsx';
import type { ListState } from './list-state.ts';
import { PlanFollowUpsDialog } from './PlanFollowUpsDialog.tsx';
import type { ChangeList } from './use-list-state.ts';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const helper = createColumnHelper<typeof features, ListedLead>();

const ARROWS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface Props extends LeadsProps {
  state: ListState;
  onChange: ChangeList;
}

/** The table with the columns that the user chose: resized, sorted by their headings and edited in place. */
export function LeadGrid({ state, onChange, items, selection, highlighted }: Props) {
  const viewer = useViewer();
  const chosen = useMemo(() => parseColumns(state.columns), [state.columns]);
  const columns = useMemo(
    () =>
      helper.columns(
        chosen.map(({ id, width }) =>
          helper.display({ id, header: GRID_COLUMN[id].label, size: width, minSize: MIN_WIDTH, maxSize: MAX_WIDTH }),
        ),
      ),
    [chosen],
  );
  const table = useTable({ features, columns, data: items, columnResizeMode: 'onChange' });
  const { columnSizing, columnResizing } = table.state;
  const storeWidths = (sizes: Record<string, number>) => {
    const columns = formatColumns(chosen.map(({ id, width }) => ({ id, width: sizes[id] ?? width }))) || 'name';
    if (columns !== state.columns) onChange({ columns }, { replace: true });
  };
  const setWidth = (id: string, width: number) => {
    const sizes = { ...columnSizing, [id]: width };
    table.setColumnSizing(sizes);
    storeWidths(sizes);
  };
  const resizing = columnResizing.isResizingColumn !== false;
  const storeDragged = useEffectEvent(() => storeWidths(columnSizing));
  useEffect(() => {
    if (!resizing) storeDragged();
  }, [resizing]);
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [editing, setEditing] = useState<{ id: number; column: string }>();
  const [planning, setPlanning] = useState<number>();
  const [logged, setLogged] = useState<ListedLead>();
  const edit = (item: ListedLead, column: string) => {
    if (!canChangeLead(viewer, item.userBusiness)) return;
    if (column === 'next') setPlanning(item.userBusiness.id);
    else if (isEditable(column)) setEditing({ id: item.userBusiness.id, column });
  };
  const focusCell = (row: number, column: number) =>
    grid.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  const moveByKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]');
    if (!cell) return;
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    const item = items[row];
    if (event.key === 'Enter' && event.target === cell && item) {
      const link = column === 0 ? cell.querySelector('a') : undefined;
      if (link) link.click();
      else edit(item, chosen[column]?.id ?? 'name');
    } else if (down || right) focusCell(row + down, column + right);
    else return;
    // The list has keys of its own for the arrows.
    event.preventDefault();
    event.stopPropagation();
  };
  const cellClass = clsx('truncate border-b border-line px-3', state.density === 'compact' ? 'py-0.5' : 'py-2');
  const sticky = 'bg-surface sm:sticky sm:left-0 sm:z-10';

  return (
    <>
      {/* Relative: what is visually hidden must not widen the page. */}
      <div className="relative max-h-[75dvh] overflow-auto rounded-lg border border-line bg-surface">
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid
          role="grid"
          aria-label="Leads"
          className="min-w-full table-fixed border-separate border-spacing-0 text-left text-sm"
          style={{ width: table.getTotalSize() + 44 + 140 }}
          onKeyDown={moveByKey}
        >
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                <th scope="col" className="sticky top-0 z-20 w-11 border-b border-line bg-paper px-3 py-2">
                  <Checkbox
                    label="Select all on this page"
                    labelHidden
                    checked={selection.state === 'all'}
                    indeterminate={selection.state === 'some'}
                    onChange={selection.toggleAll}
                  />
                </th>
                {group.headers.map((header, nth) => (
                  <GridHeader
                    key={header.id}
                    column={chosen[nth]?.id ?? 'name'}
                    width={header.getSize()}
                    sort={state.sort}
                    onSort={(sort) => onChange({ sort })}
                    onDrag={header.getResizeHandler()}
                    onWidth={(width) => setWidth(header.column.id, width)}
                  />
                ))}
                <th
                  scope="col"
                  className="sticky top-0 z-20 w-35 border-b border-line bg-paper px-3 py-2 text-xs text-muted"
                >
                  Actions
                </th>
              </tr>
            ))}
          </thead>
          <tbody>
            {items.map((item, row) => (
              <tr
                key={item.userBusiness.id}
                data-highlighted={item.userBusiness.uuid === highlighted || undefined}
                className={clsx(selection.ids.has(item.userBusiness.id) && 'bg-paper')}
              >
                <td className={cellClass}>
                  <Checkbox
                    label={`Select ${item.business.name}`}
                    labelHidden
                    checked={selection.ids.has(item.userBusiness.id)}
                    onChange={() => selection.toggle(item.userBusiness.id)}
                  />
                </td>
                {chosen.map(({ id: column }, nth) => {
                  const open = editing?.id === item.userBusiness.id && editing.column === column;
                  return (
                    <td
                      key={column}
                      tabIndex={active.row === row && active.column === nth ? 0 : -1}
                      data-row={row}
                      data-column={nth}
                      onFocus={() => setActive({ row, column: nth })}
                      className={clsx(cellClass, nth === 0 && sticky, 'focus-visible:-outline-offset-2')}
                      onDoubleClick={() => edit(item, column)}
                    >
                      {open && isEditable(column) ? (
                        <CellEditor
                          item={item}
                          column={column}
                          label={GRID_COLUMN[column].label}
                          onClose={(by) => {
                            setEditing(undefined);
                            if (by === 'key') focusCell(row, nth);
                          }}
                        />
                      ) : (
                        <CellValue item={item} column={column} />
                      )}
                    </td>
                  );
                })}
                <td className={cellClass}>
                  <RowActions item={item} onLog={() => setLogged(item)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {planning !== undefined && (
        <PlanFollowUpsDialog
          ids={[planning]}
          onDone={() => setPlanning(undefined)}
          onClose={() => setPlanning(undefined)}
          onTriggerRemoved={() => grid.current?.focus()}
        />
      )}
      {logged && (
        <LogSheet leadRef={{ uuid: logged.userBusiness.uuid }} item={logged} onClose={() => setLogged(undefined)} />
      )}
    </>
  );
}
