import type { ReactNode } from 'react';

/** Where the progress meters stand: in the header on large screens, under it on small ones. One place, so they poll once. */
export function ProgressMeterSlot({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <div className="order-last flex min-h-10 w-full items-center gap-4 lg:order-none lg:w-auto lg:flex-1">
      {children}
    </div>
  );
}
