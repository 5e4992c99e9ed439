import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={clsx('rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6 print:p-3', className)}
      {...rest}
    />
  );
}

export function CardTitle({ children }: { children: string }) {
  return <h2 className="mb-4 text-lg font-semibold print:mb-1 print:text-base">{children}</h2>;
}
