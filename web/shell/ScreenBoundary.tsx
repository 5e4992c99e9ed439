import { Component, type ReactNode } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';

interface State {
  /** Wrapped, because anything can be thrown, nothing included. */
  broken?: { error: unknown } | undefined;
}

/** A screen that breaks takes nothing else down with it. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { broken: { error } };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="mx-auto w-full max-w-lg px-4 py-12">
        {isMissingChunk(this.state.broken.error) ? (
          <Outdated />
        ) : (
          <Broken onRetry={() => this.setState({ broken: undefined })} />
        )}
      </div>
    );
  }
}

/** A part of the app that is no longer there: the server has been upgraded since this page was opened. */
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

function Broken({ onRetry }: { onRetry: () => void }) {
  return (
    <ErrorState heading="h1" title="This screen could not be shown" onRetry={onRetry}>
      Nothing you saved is lost. If it happens again, please tell your administrator what you were doing.
    </ErrorState>
  );
}

// Chromium, Firefox and Safari each say it in their own words; the last is Vite's, for a style sheet.
const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);
