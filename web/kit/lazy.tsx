import { type ComponentType, lazy, useState } from 'react';

interface Preloadable {
  /** Loads the code before it is shown. A failure is reported when it is shown. */
  preload: () => void;
}

/**
 * A component whose code is loaded when it is first shown, or before. Once loaded it is shown at once, without the
 * fallback, which React keeps for at least 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & Preloadable {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const Lazy = lazy(loadOnce) as unknown as ComponentType<Props>;
  function Shown(props: Props) {
    // Kept while it is shown: in place of another component it would lose its state.
    const [Component] = useState(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  return Object.assign(Shown, { preload: () => void loadOnce().catch(() => {}) });
}
