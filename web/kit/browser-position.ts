import { useState } from 'react';
import type { Point } from '#contract/geo.ts';

const OPTIONS: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 };
const PERMISSION_DENIED = 1;

/**
 * Asks the browser where it is. It asks the user for permission, so `locate` is called only after they pressed a button.
 * `instead` ends the sentence that says why there is no position: what the user can do without one.
 */
export function useBrowserPosition(onFound: (position: Point) => void, instead: string) {
  const [locating, setLocating] = useState(false);
  const [error, setError] = useState<string>();

  const fail = (message: string) => {
    setLocating(false);
    setError(message);
  };

  function locate() {
    const { geolocation } = navigator;
    if (!geolocation || !window.isSecureContext) {
      return fail(`This browser shares no position with this page. Please ${instead}.`);
    }
    setError(undefined);
    setLocating(true);
    geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false);
        onFound({ latitude: coords.latitude, longitude: coords.longitude });
      },
      ({ code }) =>
        fail(
          code === PERMISSION_DENIED
            ? `Your browser does not share your position. Allow it in its settings, or ${instead}.`
            : `Your position was not found. Try again, or ${instead}.`,
        ),
      OPTIONS,
    );
  }

  return { locate, locating, error };
}

/** Whether the page was loaded with the permission to ask. Browsers that cannot say ignore that permission. */
export function mayLocate(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature: (name: string) => boolean } };
  return featurePolicy?.allowsFeature('geolocation') ?? true;
}
