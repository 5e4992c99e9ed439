import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface Props {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  children: ReactNode;
}

export function Popover({ trigger, label, children }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          className="z-40 w-72 animate-rise rounded-lg border border-line bg-raised p-4 text-sm shadow-over"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
