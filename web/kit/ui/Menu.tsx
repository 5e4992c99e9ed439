import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

const panel = 'z-40 animate-rise rounded-md border border-line bg-raised p-1 text-sm shadow-over';
const line =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-3 outline-none select-none ' +
  'data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunken';

/** A list of actions behind a button. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align="end" sideOffset={6} collisionPadding={12} className={clsx(panel, 'min-w-48')}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  onPick: () => void;
  disabled?: boolean;
  tone?: 'plain' | 'danger';
  children: ReactNode;
}

export function MenuItem({ onPick, disabled, tone = 'plain', children }: MenuItemProps) {
  return (
    <Radix.Item disabled={disabled} onSelect={onPick} className={clsx(line, tone === 'danger' && 'text-danger-text')}>
      {children}
    </Radix.Item>
  );
}

/** A line that opens a list of its own. */
export function MenuSub({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={clsx(line, 'data-[state=open]:bg-sunken')}>
        {label}
        <ChevronRight aria-hidden="true" className="ml-auto size-4" />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent sideOffset={4} collisionPadding={12} className={clsx(panel, 'min-w-36')}>
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
