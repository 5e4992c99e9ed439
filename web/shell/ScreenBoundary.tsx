import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { Button } from '#web/kit/ui/Button.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';

/** Shows an error in place of a screen that could not be rendered or loaded. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={ScreenError}>{children}</ErrorBoundary>;
}

function ScreenError({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-12">
      {isMissingChunk(error) ? <Outdated /> : <RenderError onRetry={resetErrorBoundary} />}
    </div>
  );
}

/** A chunk no longer exists: the server has been upgraded since this page was opened. */
function Outdated() {
  return (
    <ErrorState
      heading="h1"
      title="This page is out of date"
      actions={<Button onClick={() => window.location.reload()}>Reload</Button>}
    >
      Highstreet may have been updated, or the connection was lost. Reloading the page brings it back.
    </ErrorState>
  );
}

function RenderError({ onRetry }: { onRetry: () => void }) {
  return (
    <ErrorState heading="h1" title="This screen could not be shown" onRetry={onRetry}>
      Nothing you saved is lost. If it happens again, please tell your administrator what you were doing.
    </ErrorState>
  );
}

// The messages of Chromium, Firefox and Safari; the last is Vite's, for a style sheet.
const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);
