import { Info } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Tooltip } from '#web/kit/ui/Tooltip.tsx';
import { WHAT_COUNTS } from './pace-words.ts';

interface Props {
  label: string;
  className: string;
  /** Gets the button that opens the explanation where there is neither mouse nor hover. */
  children: (button: ReactNode) => ReactNode;
}

/** A meter that explains on demand what it counts: pointed at, reached by keyboard, or tapped. */
export function WhatCounts({ label, className, children }: Props) {
  const [open, setOpen] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={`What counts toward: ${label}`}
      onClick={(event) => {
        // Otherwise the press would close what it opens.
        event.preventDefault();
        setOpen(true);
      }}
      className="relative grid size-4 shrink-0 place-items-center rounded-full text-muted after:absolute after:-inset-1 hover:text-ink"
    >
      <Info aria-hidden="true" className="size-3.5" />
    </button>
  );
  return (
    <Tooltip content={WHAT_COUNTS} open={open} onOpenChange={setOpen}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and this shows numbers */}
      <div role="group" aria-label={label} className={className}>
        {children(button)}
      </div>
    </Tooltip>
  );
}
