import type { ReactNode } from 'react';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';

interface Props {
  count: number;
  onClear: () => void;
  /** The actions on the selection. */
  children: ReactNode;
}

/** Floats above the end of the window, so that neither selecting nor scrolling moves it. */
export function SelectionBar({ count, onClear, children }: Props) {
  return (
    <section
      aria-label="Selection"
      className={
        'fixed inset-x-4 bottom-[calc(--spacing(16)+env(safe-area-inset-bottom))] z-dropdown mx-auto flex w-fit max-w-full ' +
        'flex-wrap items-center justify-center gap-2 rounded-lg border border-line bg-raised p-2 shadow-over wide:bottom-4'
      }
    >
      <span className="px-2 text-sm font-medium">{formatCount(count)} selected</span>
      <Button variant="ghost" size="sm" onClick={onClear}>
        Clear selection
      </Button>
      {children}
    </section>
  );
}
