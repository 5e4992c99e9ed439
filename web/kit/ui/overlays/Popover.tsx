import { clsx } from 'clsx';
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface Props {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  /** For panels that close themselves; without it the popover holds its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where Escape does something else than to close it as a click beside it does. */
  onEscape?: () => void;
  /** Width and padding. */
  size?: string;
  /** Its button is in a dialog, which it has to cover. */
  inDialog?: boolean;
  children: ReactNode;
}

export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  onEscape,
  size = 'w-72 p-4',
  inDialog = false,
  children,
}: Props) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          onOpenAutoFocus={focusFirst}
          onEscapeKeyDown={(event) => {
            if (!onEscape) return;
            event.preventDefault();
            onEscape();
          }}
          className={clsx(
            inDialog ? 'z-menu' : 'z-dropdown',
            'max-h-(--radix-popover-content-available-height) animate-rise overflow-y-auto rounded-lg border',
            'border-line bg-raised text-sm shadow-over',
            size,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';

/** A link, too: by itself the library passes over them, to the end of a menu of links. */
function focusFirst(event: Event) {
  const panel = event.target;
  const first = panel instanceof Element ? panel.querySelector<HTMLElement>(FOCUSABLE) : null;
  if (!first) return;
  event.preventDefault();
  first.focus();
}
