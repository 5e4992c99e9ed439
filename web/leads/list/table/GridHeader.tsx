import { clsx } from 'clsx';
import type { KeyboardEvent, PointerEvent as ReactPointerEvent } from 'react';
import type { LeadSort } from '#contract/leads/lead-filter.ts';
import { type ChosenColumn, clampWidth, MAX_WIDTH, MIN_WIDTH } from './grid-columns.ts';
import { SortButton, toAriaSort } from './SortButton.tsx';

interface Props {
  column: ChosenColumn;
  width: number;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  /** While its edge is dragged. */
  onDrag: (width: number) => void;
  onWidth: (width: number) => void;
}

const STEP = 20;

export function GridHeader({ column, width, sort, onSort, onDrag, onWidth }: Props) {
  const { id, label, sorts } = column;
  const resizeByKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(clampWidth(width + step));
  };
  /** Until the pointer is released, wherever it is by then. */
  const resizeByPointer = ({ clientX: start, pointerId }: ReactPointerEvent) => {
    const released = new AbortController();
    const follow = (type: 'pointermove' | 'pointerup' | 'pointercancel', resize: (width: number) => void) => {
      const listener = (event: PointerEvent) => {
        if (event.pointerId !== pointerId) return;
        if (type !== 'pointermove') released.abort();
        resize(clampWidth(width + event.clientX - start));
      };
      window.addEventListener(type, listener, { signal: released.signal });
    };
    follow('pointermove', onDrag);
    follow('pointerup', onWidth);
    follow('pointercancel', () => onWidth(width));
  };
  return (
    <th
      scope="col"
      aria-sort={toAriaSort(sorts, sort)}
      style={{ width }}
      className={clsx(
        'sticky top-0 border-b border-line bg-paper text-xs font-semibold text-muted',
        id === 'name' ? 'z-20 sm:left-0 sm:z-30' : 'z-20',
      )}
    >
      <div className="flex items-center">
        {sorts ? (
          <SortButton label={label} sorts={sorts} sort={sort} onSort={onSort} className="flex-1 px-3" />
        ) : (
          <span className="min-w-0 flex-1 truncate px-3">{label}</span>
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: <hr> cannot be focused and moved */}
        <div
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={`Width of ${label}`}
          aria-valuenow={Math.round(width)}
          aria-valuemin={MIN_WIDTH}
          aria-valuemax={MAX_WIDTH}
          onPointerDown={resizeByPointer}
          onKeyDown={resizeByKey}
          className="h-9 w-2 shrink-0 cursor-col-resize touch-none border-r border-line hover:border-pine focus-visible:border-pine"
        />
      </div>
    </th>
  );
}
