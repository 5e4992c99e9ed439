import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/** Stands once around the signed-in part, so that moving from one tip to the next does not wait again. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Radix.Provider>
  );
}

interface Props {
  content: ReactNode;
  /** For tips that a finger must be able to open too: whoever holds the state opens it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactElement;
}

/** Says more about a control that already has a name of its own. */
export function Tooltip({ content, open, onOpenChange, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-fade rounded-md bg-ink px-2.5 py-1.5 text-xs text-paper shadow-over"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
