import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { createContext, type ReactElement, type ReactNode, useContext, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { closeOnEscape } from './close-on-escape.ts';

// Above toasts: an open menu must not be covered.
const panel =
  'z-menu max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-over';
const item =
  'flex min-h-11 cursor-pointer items-center gap-2 rounded-sm px-3 sm:min-h-9 outline-none select-none [&>svg]:size-4 ' +
  'data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunken';

/** Runs the action of an item once its menu is closed. */
const RunWhenClosed = createContext((action: () => void) => action());

interface MenuProps {
  trigger: ReactElement;
  /** An action of the menu is pending: it does not open. */
  busy?: boolean;
  /** Whether it is open when it is mounted. */
  defaultOpen?: boolean;
  children: ReactNode;
}

export function Menu({ trigger, busy = false, defaultOpen = false, children }: MenuProps) {
  const [open, setOpen] = useState(defaultOpen);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(null);
  // First the focus, then the action: a dialog that it opens keeps the focus, and returns it to the button. At once: the
  // next key is for that dialog.
  const runChosen = (event: Event) => {
    const action = chosen.current;
    if (!action) return;
    chosen.current = null;
    event.preventDefault();
    button.current?.focus();
    flushSync(action);
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => setOpen(next && !busy)}>
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className={panel}
          onKeyDown={closeOnEscape(() => setOpen(false))}
          onCloseAutoFocus={runChosen}
        >
          <RunWhenClosed value={(action) => (chosen.current = action)}>{children}</RunWhenClosed>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  disabled?: boolean;
  tone?: 'plain' | 'danger';
  children: ReactNode;
}

export function MenuItem({ onSelect, disabled, tone = 'plain', children }: MenuItemProps) {
  const runWhenClosed = useContext(RunWhenClosed);
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={() => runWhenClosed(onSelect)}
      className={clsx(item, tone === 'danger' && 'text-danger-text')}
    >
      {children}
    </Radix.Item>
  );
}

/** Expands below its label: a phone has no room for a submenu beside the menu. */
export function MenuSub({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const toggle = (event: Event) => {
    event.preventDefault();
    setOpen(!open);
  };
  return (
    <>
      <Radix.Item aria-expanded={open} onSelect={toggle} className={item}>
        {label}
        <ChevronDown aria-hidden="true" className={clsx('ml-auto', open && 'rotate-180')} />
      </Radix.Item>
      {open && (
        <Radix.Group aria-label={label} className="ml-3 border-l border-line pl-1">
          {children}
        </Radix.Group>
      )}
    </>
  );
}

/** Items that belong together, under a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Group>
      <Radix.Label className="px-3 pt-2 pb-1 text-xs font-semibold text-muted">{label}</Radix.Label>
      {children}
    </Radix.Group>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
