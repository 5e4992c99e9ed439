import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';

/** Where a meter will be: as high as the meter, so that nothing jumps when it comes. */
export function MeterLoading({ compact }: { compact: boolean }) {
  return (
    <div className={clsx('flex animate-pulse flex-col', compact ? 'gap-1.5' : 'gap-3')}>
      <span className="sr-only">Loading…</span>
      <div aria-hidden="true" className={clsx('rounded-sm bg-sunken', compact ? 'h-4 w-2/3' : 'h-10 w-1/2')} />
      <div aria-hidden="true" className="h-2 rounded-full bg-sunken" />
      <div aria-hidden="true" className={clsx('w-1/3 rounded-sm bg-sunken', compact ? 'h-4' : 'h-5')} />
    </div>
  );
}

export function MeterFailed({ compact, children }: { compact: boolean; children: string }) {
  return (
    <p className={clsx('flex items-start gap-1.5 text-danger-text', compact ? 'text-xs' : 'py-4 text-sm')}>
      <CircleAlert aria-hidden="true" className={clsx('shrink-0', compact ? 'mt-px size-3.5' : 'mt-0.5 size-4')} />
      {children}
    </p>
  );
}
