import { useServerUnavailable } from '#web/kit/server-unavailable.ts';
import { Spinner } from './Spinner.tsx';

/** A banner while reads wait for the server to recover. */
export function ServerUnavailable() {
  const unavailable = useServerUnavailable();
  return (
    <div aria-live="polite" className="sticky top-0 z-sticky">
      {unavailable && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn-text">
          <Spinner />
          Highstreet is not available right now. It is trying again by itself; you can stay on this page.
        </p>
      )}
    </div>
  );
}
