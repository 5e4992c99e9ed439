import { type ComponentType, isValidElement, type ReactNode, useEffect, useState } from 'react';

export type LazyComponent<Props> = ComponentType<Props> & {
  /** Loads the code before it is shown. A failure is reported when it is shown. */
  preload: () => void;
};

/**
 * A component whose code is loaded when it is first shown, or before. React's own `lazy` would keep the fallback for at
 * least 300 ms, and a failure until the page is reloaded.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  function Lazy(props: Props) {
    const [Component, setComponent] = useState(() => loaded);
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      loadOnce().then(
        (component) => setComponent(() => component),
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure) throw failure.error;
    return Component ? <Component {...props} /> : fallback;
  }
  return Object.assign(Lazy, { preload: () => void loadOnce().catch(() => {}) });
}

/** Loads the code of an element that will be shown soon. */
export function preloadElement(element: ReactNode) {
  if (isValidElement(element) && typeof element.type !== 'string' && 'preload' in element.type) {
    (element.type as LazyComponent<object>).preload();
  }
}
