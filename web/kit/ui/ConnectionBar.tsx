import { CloudOff } from 'lucide-react';
import { useConnection } from '#web/kit/connection.ts';
import { Spinner } from './Spinner.tsx';

/** A bar while the server cannot be reached, or reads wait for it to recover. */
export function ConnectionBar() {
  const connection = useConnection();
  return (
    <div aria-live="polite" className="sticky top-0 z-sticky">
      {connection !== 'online' && (
        <p
          role="status"
          className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn-text [&>svg]:size-4 [&>svg]:shrink-0"
        >
          {connection === 'offline' ? (
            <>
              <CloudOff aria-hidden="true" />
              You are offline; what you write is kept
            </>
          ) : (
            <>
              <Spinner />
              Highstreet is not available right now. It is trying again by itself; you can stay on this page.
            </>
          )}
        </p>
      )}
    </div>
  );
}
