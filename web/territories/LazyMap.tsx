import { type ComponentProps, lazy, Suspense } from 'react';
import { Loading } from '#web/kit/ui/Loading.tsx';
import type { TerritoryMap as LoadedMap } from './TerritoryMap.tsx';

// Leaflet is loaded with the first map.
const TerritoryMap = lazy(async () => ({ default: (await import('./TerritoryMap.tsx')).TerritoryMap }));

export function LazyMap(props: ComponentProps<typeof LoadedMap>) {
  return (
    <Suspense fallback={<Loading label="Loading the map…" />}>
      <TerritoryMap {...props} />
    </Suspense>
  );
}
