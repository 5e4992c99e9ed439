import { type KeyboardEvent, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { PlanFollowUpsDialog } from '#web/leads/list/bulk/PlanFollowUpsDialog.tsx';
import type { LeadsProps } from '#web/leads/list/cards/LeadCards.tsx';
import { type ListState, toSearch, withoutLayout } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { LogSheet } from '#web/leads/log/LogSheet.tsx';
import { toEditable } from './GridCells.tsx';
import { GridHeader } from './GridHeader.tsx';
import { type EditedCell, GridRow } from './GridRow.tsx';
import { type ChosenColumn, formatColumns, parseColumns } from './grid-columns.ts';
import { LeftOverCells, useTypedCells } from './LeftOverCells.tsx';
import { useGridColumns } from './use-grid-columns.ts';

/** Of the columns with the checkboxes and the actions. */
const OTHER_WIDTH = 44 + 120;

const ARROWS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface Props extends LeadsProps {
  state: ListState;
  /** Whether the leads are those of the previous query, shown while the next ones load. */
  stale: boolean;
  onChange: ChangeList;
}

/** The table with the columns that the user chose: resized, sorted by their headings and edited in place. */
export function LeadGrid({ state, stale, onChange, items, selection, highlighted }: Props) {
  const viewer = useViewer();
  const columns = useGridColumns();
  const chosen = useMemo(() => parseColumns(state.columns, columns), [state.columns, columns]);
  const [dragged, setDragged] = useState<{ id: string; width: number }>();
  const widthOf = ({ id, width }: ChosenColumn) => (dragged?.id === id ? dragged.width : width);
  const setWidth = (changed: string, next: number) => {
    setDragged(undefined);
    const text =
      formatColumns(chosen.map((column) => (column.id === changed ? { ...column, width: next } : column))) || 'name';
    if (text !== state.columns) onChange({ columns: text }, { replace: true });
  };
  const grid = useRef<HTMLTableElement>(null);
  const query = toSearch(withoutLayout(state));
  const drawnRows = useDrawnRows(items.length, query, stale);
  useEffect(() => {
    if (query && !stale && grid.current?.parentElement) grid.current.parentElement.scrollTop = 0;
  }, [query, stale]);
  const [active, setActive] = useState({ row: 0, column: 0 });
  // Several at once: a refused text stays in its cell while another cell is edited.
  const [editing, setEditing] = useState<{ id: number; column: string }[]>([]);
  const [planning, setPlanning] = useState<number>();
  const [logged, setLogged] = useState<ListedLead>();
  const edit = (item: ListedLead, column: ChosenColumn) => {
    if (!canChangeLead(viewer, item.userBusiness)) return;
    if (column.id === 'next') setPlanning(item.userBusiness.id);
    else if (toEditable(column)) setEditing([...editing, { id: item.userBusiness.id, column: column.id }]);
  };
  const focusCell = (row: number, column: number) => findCell(grid.current, row, column)?.focus();
  const toggle = useRef(selection.toggle);
  useEffect(() => {
    toggle.current = selection.toggle;
  });
  const toggleRow = useCallback((id: number) => toggle.current(id), []);
  const { typed, keep, discard } = useTypedCells();
  const closeEditor = useCallback(
    (by: 'key' | 'blur', cell: EditedCell) => {
      setEditing((open) => open.filter(({ id, column }) => id !== cell.id || column !== cell.column));
      discard(cell);
      if (by === 'key') findCell(grid.current, cell.row, cell.nth)?.focus();
    },
    [discard],
  );
  const moveByKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const found = readCell(event.target);
    if (!found) return;
    const { cell, row, column } = found;
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    const item = items[row];
    if (event.key === 'Enter' && event.target === cell && item) {
      const link = column === 0 ? cell.querySelector('a') : undefined;
      if (link) link.click();
      else if (chosen[column]) edit(item, chosen[column]);
    } else if (down || right) focusCell(row + down, column + right);
    else return;
    // The list has keys of its own for the arrows.
    event.preventDefault();
    event.stopPropagation();
  };
  const editByDoubleClick = ({ target }: { target: EventTarget }) => {
    const { row = -1, column = -1 } = readCell(target) ?? {};
    const [item, chosenColumn] = [items[row], chosen[column]];
    if (item && chosenColumn) edit(item, chosenColumn);
  };
  const activate = ({ target }: { target: EventTarget }) => {
    const found = readCell(target);
    if (found) setActive({ row: found.row, column: found.column });
  };

  return (
    <>
      <LeftOverCells typed={typed} columns={columns} onDiscard={discard} />
      {/* Relative: what is visually hidden must not widen the page. Isolate: its headings stay below menus and the bottom bar. */}
      <div
        data-scroll="grid"
        className="relative isolate max-h-[75dvh] overflow-auto rounded-lg border border-line bg-surface"
      >
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid
          role="grid"
          aria-label="Leads"
          className="min-w-full table-fixed border-separate border-spacing-0 text-left text-sm"
          style={{ width: chosen.reduce((sum, column) => sum + widthOf(column), OTHER_WIDTH) }}
          onKeyDown={moveByKey}
          onFocus={activate}
          onDoubleClick={editByDoubleClick}
        >
          <thead>
            <tr>
              <th scope="col" className="sticky top-0 z-20 w-11 border-b border-line bg-paper px-3 py-2">
                <Checkbox
                  label="Select all on this page"
                  labelHidden
                  checked={selection.state === 'all'}
                  indeterminate={selection.state === 'some'}
                  onChange={selection.toggleAll}
                />
              </th>
              {chosen.map((column) => (
                <GridHeader
                  key={column.id}
                  column={column}
                  width={widthOf(column)}
                  sort={state.sort}
                  onSort={(sort) => onChange({ sort })}
                  onDrag={(width) => setDragged({ id: column.id, width })}
                  onWidth={(width) => setWidth(column.id, width)}
                />
              ))}
              <th
                scope="col"
                className="sticky top-0 z-20 w-30 border-b border-line bg-paper px-3 py-2 text-xs text-muted lg:right-0 lg:z-30 lg:border-l"
              >
                Actions
              </th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, drawnRows).map((item, row) => (
              <GridRow
                key={item.userBusiness.id}
                item={item}
                viewer={viewer}
                row={row}
                chosen={chosen}
                density={state.density}
                selected={selection.ids.has(item.userBusiness.id)}
                highlighted={item.userBusiness.uuid === highlighted}
                activeColumn={active.row === row ? active.column : undefined}
                editedColumns={listColumns(editing, item.userBusiness.id)}
                onToggle={toggleRow}
                onLog={setLogged}
                onType={keep}
                onClose={closeEditor}
              />
            ))}
          </tbody>
        </table>
      </div>
      {planning !== undefined && (
        <PlanFollowUpsDialog
          leads={{ ids: [planning] }}
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

/** A text, which is the same where nothing changed, so that the row is not drawn again. */
const listColumns = (editing: { id: number; column: string }[], leadId: number) =>
  editing
    .filter(({ id }) => id === leadId)
    .map(({ column }) => column)
    .join();

/** About what a window shows. */
const FIRST_ROWS = 15;

/** How many rows are drawn: the first ones of a new query, and right after them the others. */
function useDrawnRows(count: number, query: string, stale: boolean): number {
  const [drawn, setDrawn] = useState<string>();
  useEffect(() => {
    if (!stale) startTransition(() => setDrawn(query));
  }, [query, stale]);
  return stale || drawn === query ? count : Math.min(count, FIRST_ROWS);
}

const findCell = (grid: HTMLElement | null, row: number, column: number) =>
  grid?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);

/** The cell that an event happened in, and where it is. */
function readCell(target: EventTarget) {
  const cell = (target as Element).closest<HTMLElement>('[data-column]');
  return cell && { cell, row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
}
