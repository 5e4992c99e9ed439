import { type ReactNode, Suspense } from 'react';

/** Where the progress meters stand: in the header on large screens, under it on small ones. One place, so they poll once. */
export function ProgressMeterSlot({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex min-h-13 items-center gap-4 max-xl:order-last max-xl:w-full max-xl:border-t max-xl:border-line max-xl:pt-2 max-xl:pb-1 sm:gap-6 xl:min-w-72 xl:flex-1">
      {/* The meters are fetched after the shell; their place is kept, so that nothing jumps when they come. */}
      <Suspense fallback={null}>{children}</Suspense>
    </div>
  );
}
