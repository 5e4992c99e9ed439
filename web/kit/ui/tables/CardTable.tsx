// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** The border of a table on wide screens; cards have their own. */
export function CardTableFrame({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={clsx('lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface', className)}
      {...rest}
    />
  );
}

interface TableProps extends ComponentProps<'tbody'> {
  label: string;
  head: ReactNode;
}

/**
 * A table on wide screens, cards on narrow ones; a table for screen readers on both. Other props are those of its body,
 * the grid of the cards.
 */
export function CardTable({ label, head, className, ...body }: TableProps) {
  return (
    <table role="table" aria-label={label} className="w-full border-collapse text-left text-sm max-lg:block">
      <thead role="rowgroup" className="border-b border-line bg-paper text-xs font-semibold text-muted max-lg:sr-only">
        <tr role="row">{head}</tr>
      </thead>
      <tbody
        role="rowgroup"
        className={clsx('lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3', className)}
        {...body}
      />
    </table>
  );
}

export function CardHeadCell({ className, ...rest }: ComponentProps<'th'>) {
  return <th role="columnheader" scope="col" className={clsx('px-4 py-3 whitespace-nowrap', className)} {...rest} />;
}

/** `className` has the columns of the grid that the card is. */
export function CardRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      role="row"
      className={clsx(
        'lg:hover:bg-paper max-lg:grid max-lg:content-start max-lg:gap-x-4 max-lg:gap-y-1 max-lg:rounded-lg',
        'max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card',
        className,
      )}
      {...rest}
    />
  );
}

interface CellProps extends ComponentProps<'td'> {
  /** Shown before the value in a card, which has no column headings. */
  label?: string;
}

export function CardCell({ label, className, ...rest }: CellProps) {
  return (
    <td
      role="cell"
      data-label={label}
      className={clsx(
        'lg:px-4 lg:py-2',
        label && 'max-lg:before:mr-2 max-lg:before:text-muted max-lg:before:content-[attr(data-label)]',
        className,
      )}
      {...rest}
    />
  );
}
