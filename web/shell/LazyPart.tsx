import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

interface Props {
  load: () => Promise<ComponentType>;
  /** Shown in the place of a part that could not be loaded, or that broke. */
  fallback: (retry: () => void) => ReactNode;
}

/** A part of the page that is loaded after the rest, and that takes nothing else down with it when it fails. */
export function LazyPart({ load, fallback }: Props) {
  const [Part, setPart] = useState(() => lazyOf(load));
  return (
    // A lazy component keeps its failure for good: trying again takes a new one.
    <PartBoundary fallback={fallback} onRetry={() => setPart(lazyOf(load))}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </PartBoundary>
  );
}

const lazyOf = (load: Props['load']) => lazy(async () => ({ default: await load() }));

interface BoundaryProps {
  fallback: Props['fallback'];
  onRetry: () => void;
  children: ReactNode;
}

class PartBoundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return this.props.fallback(() => {
      this.props.onRetry();
      this.setState({ broken: false });
    });
  }
}
