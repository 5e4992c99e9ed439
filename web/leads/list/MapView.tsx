import { MapPinOff } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { LeadItem } from '#contract/leads/lead.ts';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import type { MapHandle } from './LeadMap.tsx';
import type { useLeadPoints } from './list.data.ts';
import { MapTwin } from './MapTwin.tsx';

// The map's library is fetched when somebody first opens a map.
const LeadMap = lazy(async () => ({ default: (await import('./LeadMap.tsx')).LeadMap }));

interface Props {
  points: ReturnType<typeof useLeadPoints>;
  /** The page of leads that is listed beside the map. */
  items: LeadItem[];
}

export function MapView({ points, items }: Props) {
  const tiles = useSettings().data;
  const map = useRef<MapHandle>(null);
  const [tilesWork, setTilesWork] = useState(true);

  if (points.isError) {
    return (
      <ErrorState title="The map could not be loaded" onRetry={() => void points.refetch()}>
        {points.error.message}
      </ErrorState>
    );
  }
  if (!points.data) return <Loading label="Loading the map…" />;
  const found = points.data.points;
  if (found.length === 0) {
    return (
      <EmptyState title="No Map Data Available">
        <MapPinOff aria-hidden="true" className="mx-auto mb-2 size-6" />
        None of these businesses has a location.
      </EmptyState>
    );
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">{countOf(found, points.data.capped)} on the map</p>
        <Button variant="secondary" size="sm" onClick={() => map.current?.reset()}>
          Reset View
        </Button>
      </div>
      {!tilesWork && <Notice>The map's pictures cannot be fetched right now. The markers work without them.</Notice>}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Suspense fallback={<Loading label="Loading the map…" />}>
            <LeadMap points={found} tiles={tiles} handle={map} onTiles={setTilesWork} />
          </Suspense>
        </div>
        <MapTwin items={items} onShow={(point) => map.current?.open(point)} />
      </div>
    </div>
  );
}

const countOf = (points: LeadPoint[], capped: boolean) =>
  `${formatCount(points.length)}${capped ? '+' : ''} ${points.length === 1 ? 'business' : 'businesses'}`;
