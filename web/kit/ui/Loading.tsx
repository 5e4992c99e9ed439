import { clsx } from 'clsx';
import { Spinner } from './Spinner.tsx';

/** Something is being fetched; `whole` fills the page. */
export function Loading({ label = 'Loading…', whole }: { label?: string; whole?: boolean }) {
  return (
    <div
      role="status"
      className={clsx('flex items-center justify-center gap-3 text-muted', whole ? 'min-h-dvh' : 'py-16')}
    >
      <Spinner className="size-6" />
      <span className="text-sm">{label}</span>
    </div>
  );
}

/** Grey lines where text will be. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div aria-hidden="true" className="flex animate-pulse flex-col gap-3">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <div key={line} className="h-4 rounded-sm bg-sunken last:w-2/3" />
      ))}
    </div>
  );
}
