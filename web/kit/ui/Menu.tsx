import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactElement, type ReactNode, useState } from 'react';

// Above toasts: what somebody has opened to pick from must not be covered by what happens to be said.
const panel =
  'z-70 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-over';
const line =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-3 outline-none select-none ' +
  'data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunken';

/** A list of actions behind a button. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align="end" sideOffset={6} collisionPadding={12} className={panel}>
          {children}
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
  return (
    <Radix.Item disabled={disabled} onSelect={onSelect} className={clsx(line, tone === 'danger' && 'text-danger-text')}>
      {children}
    </Radix.Item>
  );
}

/** A line that unfolds more lines beneath it. Nothing opens beside the menu, where a phone has no room for it. */
export function MenuSub({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const unfold = (event: Event) => {
    event.preventDefault();
    setOpen(!open);
  };
  return (
    <>
      <Radix.Item aria-expanded={open} onSelect={unfold} className={line}>
        {label}
        <ChevronDown aria-hidden="true" className={clsx('ml-auto size-4', open && 'rotate-180')} />
      </Radix.Item>
      {open && (
        <Radix.Group aria-label={label} className="ml-3 border-l border-line pl-1">
          {children}
        </Radix.Group>
      )}
    </>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
