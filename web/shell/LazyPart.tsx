import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';

interface Props {
  load: () => Promise<ComponentType>;
  /** Shown in place of a part that could not be loaded or rendered. */
  fallback: (retry: () => void) => ReactNode;
}

/** A part of the page that is loaded after the rest, which stays when this part fails. */
export function LazyPart({ load, fallback }: Props) {
  const [Part, setPart] = useState(() => createLazy(load));
  return (
    <ErrorBoundary
      // React.lazy caches a rejected import: a retry needs a new lazy component.
      onReset={() => setPart(createLazy(load))}
      fallbackRender={({ resetErrorBoundary }) => fallback(resetErrorBoundary)}
    >
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </ErrorBoundary>
  );
}

const createLazy = (load: Props['load']) => lazy(async () => ({ default: await load() }));
