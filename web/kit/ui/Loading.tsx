import { Spinner } from './Spinner.tsx';

export function Loading({ label = 'Loading…' }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-16 text-muted">
      <Spinner className="size-6" />
      <span className="text-sm">{label}</span>
    </div>
  );
}

/** The page while the session is loading. */
export function LoadingPage() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <h1 className="sr-only">Highstreet</h1>
      <Loading />
    </main>
  );
}

/** Placeholder lines for text that is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div aria-hidden="true" className="flex animate-pulse flex-col gap-3">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical lines that never move
        <div key={line} className="h-4 rounded-sm bg-sunken last:w-2/3" />
      ))}
    </div>
  );
}
