import type { ReactNode } from 'react';

/** Where the progress meters stand: in the header on large screens, under it on small ones. One place, so they poll once. */
export function ProgressMeterSlot({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex min-h-10 items-center gap-4 max-xl:order-last max-xl:w-full xl:min-w-0 xl:flex-1">
      {children}
    </div>
  );
}
