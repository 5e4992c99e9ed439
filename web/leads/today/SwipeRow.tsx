import { clsx } from 'clsx';
import { CalendarClock, NotebookPen } from 'lucide-react';
import type { ReactNode } from 'react';
import { ACTION_PX, useSwipe } from './use-swipe.ts';

interface Props {
  labelledBy: string;
  moveLabel: string;
  onLog: () => void;
  onMove: () => void;
  children: ReactNode;
}

/** A row of Today: a swipe to the right logs a contact, one to the left moves the follow-up, as its buttons do. */
export function SwipeRow({ labelledBy, moveLabel, onLog, onMove, children }: Props) {
  const { offset, handlers } = useSwipe({ onRight: onLog, onLeft: onMove });
  const isFar = Math.abs(offset) >= ACTION_PX;
  return (
    <li
      data-lead
      aria-labelledby={labelledBy}
      className={clsx('relative touch-pan-y touch-pinch-zoom', offset !== 0 && 'overflow-hidden select-none')}
      {...handlers}
    >
      {offset !== 0 && (
        <div
          aria-hidden="true"
          className={clsx(
            'absolute inset-0 flex items-center gap-2 px-6 text-sm font-semibold [&>svg]:size-5',
            isFar ? 'bg-pine text-on-pine' : 'bg-pine-soft text-pine-text',
            offset < 0 && 'flex-row-reverse',
          )}
        >
          {offset > 0 ? <NotebookPen /> : <CalendarClock />}
          {offset > 0 ? 'Log' : moveLabel}
        </div>
      )}
      <div
        className={clsx('flex flex-col gap-2 px-4 py-3', offset !== 0 && 'relative bg-surface')}
        style={offset === 0 ? undefined : { transform: `translateX(${offset}px)` }}
      >
        {children}
      </div>
    </li>
  );
}
