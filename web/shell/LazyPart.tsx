import { type ComponentType, type ReactNode, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { lazyComponent } from '#web/kit/lazy.tsx';

interface Props {
  load: () => Promise<ComponentType>;
  /** Shown in place of a part that could not be loaded or rendered. */
  fallback: (retry: () => void) => ReactNode;
}

/** A part of the page that is loaded after the rest, which stays when this part fails. */
export function LazyPart({ load, fallback }: Props) {
  const [Part] = useState(() => lazyComponent(load));
  return (
    <ErrorBoundary fallbackRender={({ resetErrorBoundary }) => fallback(resetErrorBoundary)}>
      <Part />
    </ErrorBoundary>
  );
}
