import { clsx } from 'clsx';
import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { LEAD_STATUS_LABEL, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount } from '#web/kit/format.ts';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import type { ListState } from '#web/leads/list/list-state.ts';
import { type RowRange, useVisibleRows } from '#web/leads/list/table/use-visible-rows.ts';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { BoardCard, toCardHeight, toCardRowRem } from './BoardCard.tsx';
import { type Move, useBoardColumn } from './board.data.ts';
import { placeRows } from './column-rows.ts';
import { dragCard } from './drag-card.ts';

interface Props {
  status: LeadStatus;
  /** What a card can be moved to by its menu. */
  targets: LeadStatus[];
  state: ListState;
  viewer: Viewer;
  /** Moves that are not saved and loaded yet. */
  pending: Move[];
  /** A dragged card is above it. */
  over: boolean;
  onMove: (item: ListedLead, to: LeadStatus) => void;
  onDragOver: (status: LeadStatus | undefined) => void;
}

/** The leads of one status. Only the cards in view are drawn, however many there are. */
export function BoardColumn({ status, targets, state, viewer, pending, over, onMove, onDragOver }: Props) {
  const section = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const ownFields = useOwnFields();
  const fields = useMemo(() => ownFields.filter(({ onCard, archived }) => onCard && !archived), [ownFields]);
  const rowRem = toCardRowRem(fields);
  const visible = useVisibleRows(scroller, rowRem);
  const column = useBoardColumn(state, viewer, status, visible);
  const { count, itemAt } = placeRows({ status, ...column }, pending);
  const [focusedRow, setFocusedRow] = useState<number>();
  const moveByMenu = useFocusAfterMove(section, onMove);

  const startDrag = (event: PointerEvent) => {
    const target = event.target as Element;
    const card = target.closest<HTMLElement>('[data-card]');
    const board = section.current?.parentElement;
    const item = card && findItem(column.loaded, card);
    if (!board || !card || !item || event.button !== 0 || event.ctrlKey || target.closest('button')) return;
    dragCard(event.nativeEvent, card, {
      board,
      onOver: (name) => onDragOver(leadStatus.safeParse(name).data),
      onDrop: (name) => onMove(item, leadStatus.parse(name)),
    });
  };
  const label = LEAD_STATUS_LABEL[status];
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      data-status={status}
      className={clsx(
        'flex max-h-[75dvh] w-72 shrink-0 snap-start flex-col rounded-lg border bg-sunken max-sm:w-[82vw]',
        over ? 'border-pine ring-2 ring-pine' : 'border-line',
      )}
    >
      <h2 className="flex items-center justify-between gap-2 px-3 py-2 text-sm font-semibold">
        {label}{' '}
        {!column.isPending && (
          <span className="rounded-full bg-surface px-2 text-xs font-medium">
            {formatCount(column.total)}
            {column.totalCapped && '+'}
            <span className="sr-only"> {column.total === 1 ? 'lead' : 'leads'}</span>
          </span>
        )}
      </h2>
      <div
        ref={scroller}
        data-scroll={`board ${status}`}
        className="relative min-h-32 overflow-y-auto overscroll-y-contain"
      >
        <ul
          aria-label={`${label} leads`}
          aria-busy={column.isPending}
          className="relative"
          style={{ height: `${count * rowRem}rem` }}
          onPointerDown={startDrag}
          // The browser's own dragging of a link would end that of its card.
          onDragStart={(event) => event.preventDefault()}
          onFocus={({ target }) => {
            const row = target.closest<HTMLElement>('[data-row]')?.dataset.row;
            if (row) setFocusedRow(Number(row));
          }}
        >
          {/* The focused card stays when it is scrolled out of view. */}
          {listRows(visible, count, focusedRow).map((row) => {
            const item = itemAt(row);
            return (
              <li
                key={item?.userBusiness.id ?? `row ${row}`}
                data-row={row}
                aria-posinset={row + 1}
                aria-setsize={column.totalCapped ? -1 : count}
                className="absolute inset-x-2"
                style={{ top: `${row * rowRem}rem` }}
              >
                {item ? (
                  <BoardCard
                    item={item}
                    status={status}
                    targets={targets}
                    viewer={viewer}
                    fields={fields}
                    onMove={moveByMenu}
                  />
                ) : (
                  <div className={clsx(toCardHeight(fields), 'rounded-md bg-surface p-3')}>
                    <Skeleton lines={3} />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
        {column.isPending && (
          <div className="mx-2 rounded-md bg-surface p-3">
            <Skeleton lines={3} />
          </div>
        )}
        {!column.isPending && !column.error && count === 0 && <p className="p-3 text-sm text-muted">No leads</p>}
      </div>
      {column.error && (
        <ErrorState title="Leads could not be loaded" onRetry={column.refetch}>
          {column.error.message}
        </ErrorState>
      )}
    </section>
  );
}

function listRows({ from, to }: RowRange, count: number, focusedRow = from): number[] {
  const rows: number[] = [];
  if (focusedRow < from) rows.push(focusedRow);
  for (let row = from; row < to; row += 1) rows.push(row);
  if (focusedRow >= to) rows.push(focusedRow);
  return rows.filter((row) => row < count);
}

const findItem = (loaded: Map<number, ListedLead>, card: HTMLElement) =>
  [...loaded.values()].find(({ userBusiness }) => String(userBusiness.id) === card.dataset.card);

/** Moving a card by its menu takes the focus away with it: the card that comes in its place gets it. */
function useFocusAfterMove(section: RefObject<HTMLElement | null>, onMove: Props['onMove']) {
  const left = useRef<{ card: Element; row: string }>(undefined);
  useEffect(() => {
    if (!left.current || left.current.card.isConnected) return;
    const next = section.current?.querySelector<HTMLElement>(`[data-row="${left.current.row}"] button`);
    left.current = undefined;
    (next ?? section.current)?.focus();
  });
  return useCallback(
    (item: ListedLead, to: LeadStatus) => {
      const card = section.current?.querySelector(`[data-card="${item.userBusiness.id}"]`);
      const row = card?.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (card && row) left.current = { card, row };
      onMove(item, to);
    },
    [section, onMove],
  );
}
