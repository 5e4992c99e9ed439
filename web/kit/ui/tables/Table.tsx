import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** Scrolls horizontally where the screen is too narrow. */
export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-surface">
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
