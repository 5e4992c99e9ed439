import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/** One for all tooltips of the signed-in part: moving from one to the next skips the delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Radix.Provider>
  );
}

interface Props {
  content: ReactNode;
  /** For tooltips that open by touch, too; without it the tooltip holds its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactElement;
}

/** Describes a control that has an accessible name of its own. */
export function Tooltip({ content, open, onOpenChange, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-tooltip max-w-72 animate-fade rounded-md bg-ink px-3 py-2 text-xs text-paper shadow-over"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
