import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

interface Props {
  label: string;
  head: ReactNode;
  /** For screen readers only, beside a chart: it cannot be scrolled, and takes no focus. */
  hidden?: boolean;
  children: ReactNode;
}

/** Scrolls horizontally where the screen is too narrow. */
export function Table({ label, head, hidden = false, children }: Props) {
  return (
    <section
      aria-label={label}
      // A scrolling region must be focusable.
      tabIndex={hidden ? undefined : 0}
      className={hidden ? 'sr-only' : 'overflow-x-auto rounded-lg border border-line bg-surface'}
    >
      <table className="w-full border-collapse text-left text-sm">
        <thead className="border-b border-line bg-paper text-xs font-semibold text-muted">
          <tr>{head}</tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  );
}

export function HeadCell({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" className={clsx('px-4 py-3 whitespace-nowrap', className)} {...rest} />;
}

export function Row({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr className={clsx('hover:bg-paper', className)} {...rest} />;
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={clsx('px-4 py-3 align-middle', className)} {...rest} />;
}
