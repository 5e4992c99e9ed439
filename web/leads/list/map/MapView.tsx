import { clsx } from 'clsx';
import { MapPinOff, Route } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { LeadPoint, ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { useLeadPoints } from '#web/leads/list/list.data.ts';
import { type ListState, toFilterQuery } from '#web/leads/list/list-state.ts';
import { TripPlanner } from '#web/leads/list/trip/TripPlanner.tsx';
import { CHOOSE_START } from '#web/leads/list/trip/trip-state.ts';
import { useTripPlan } from '#web/leads/list/trip/use-trip-plan.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { TripLink } from '#web/leads/trip/TripLine.tsx';
import { useTrip } from '#web/leads/trip/trip.data.ts';
import type { MapHandle } from './LeadMap.tsx';
import { MapLegend } from './MapLegend.tsx';
import { MapResultList } from './MapResultList.tsx';
import { buildPins } from './pins.ts';

// Leaflet is loaded when the map is first opened.
const LeadMap = lazyComponent(
  async () => (await import('./LeadMap.tsx')).LeadMap,
  <Loading label="Loading the map…" />,
);

interface Props {
  state: ListState;
  onChange: ChangeList;
  /** The page of leads listed beside the map; the map itself shows all that match. */
  items: ListedLead[];
  /** How many leads match; undefined where that is not known. */
  total: number | undefined;
  footer: ReactNode;
}

export function MapView({ state, onChange, items, total, footer }: Props) {
  const viewer = useViewer();
  const query = useLeadPoints(state, viewer);
  if (!query.data) {
    if (!query.isError) return <Loading label="Loading the map…" />;
    return (
      <ErrorState title="The map could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  }
  if (query.data.points.length === 0) {
    return (
      <EmptyState icon={MapPinOff} title="No Map Data Available">
        None of these businesses has a location.
      </EmptyState>
    );
  }
  return (
    <MapWithList
      state={state}
      onChange={onChange}
      points={query.data.points}
      capped={query.data.capped}
      filters={query.isPlaceholderData ? undefined : JSON.stringify(toFilterQuery(state, viewer))}
      onRetry={query.isError ? () => void query.refetch() : undefined}
      items={items}
      total={total}
      footer={footer}
    />
  );
}

const COLOURED_BY = [
  { value: 'status', label: 'Status' },
  { value: 'type', label: 'Type' },
] as const;

interface MapWithListProps extends Props {
  points: LeadPoint[];
  capped: boolean;
  /** Undefined while the points are those of the filters before. */
  filters: string | undefined;
  /** The points could not be refreshed. */
  onRetry: (() => void) | undefined;
}

function MapWithList({ state, onChange, points, capped, filters, onRetry, items, total, footer }: MapWithListProps) {
  const tiles = useSettings().data;
  const map = useRef<MapHandle>(null);
  const planButton = useRef<HTMLButtonElement>(null);
  const [tilesWork, setTilesWork] = useState(true);
  const pins = useMemo(() => buildPins(points, state.pins), [points, state.pins]);
  const plan = useTripPlan(state);
  const { planned } = plan;
  const running = useTrip().data?.trip;
  const unplaced = total === undefined || capped || !filters ? 0 : total - points.length;
  const planKey = plan.query.isPlaceholderData ? undefined : `${plan.trip} ${plan.stops} ${plan.due}`;
  const closePlan = () => {
    plan.change({ trip: '' });
    planButton.current?.focus();
  };

  return (
    <div className="flex flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <p className="text-sm text-muted">
            {planned ? formatStopCount(planned.stops.length) : formatPointCount(points.length, capped)} on the map
          </p>
          {!planned && unplaced > 0 && <p className="text-sm text-muted">{formatCount(unplaced)} without a location</p>}
          {!planned && <MapLegend pins={pins} />}
          {!plan.open && <TripLink />}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {!planned && (
            <>
              <span aria-hidden="true" className="text-sm text-muted">
                Colour by
              </span>
              <SegmentedControl
                label="Colour by"
                options={COLOURED_BY}
                value={state.pins}
                onValueChange={(pins) => onChange({ pins }, { replace: true })}
              />
            </>
          )}
          <Button
            ref={planButton}
            variant="secondary"
            size="sm"
            aria-expanded={plan.open}
            onClick={() => (plan.open ? closePlan() : plan.change({ trip: CHOOSE_START }))}
          >
            <Route aria-hidden="true" />
            Plan a trip
          </Button>
          <Button variant="secondary" size="sm" onClick={() => map.current?.reset()}>
            Reset View
          </Button>
        </div>
      </div>
      {!tilesWork && <Notice>The map's pictures cannot be fetched right now. It shows coasts and towns only.</Notice>}
      <div className="grid flex-1 gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className={clsx('relative min-w-0 lg:min-h-80', plan.open ? 'min-h-[40dvh]' : 'min-h-[60dvh]')}>
          <LeadMap
            points={points}
            toPin={pins.toPin}
            trip={planned}
            running={(!plan.open && running) || undefined}
            frameKey={planned ? planKey : filters}
            tiles={tiles}
            handle={map}
            onTiles={setTilesWork}
          />
          {onRetry && (
            // On the map, which would move if its size changed.
            <div className="absolute inset-x-2 bottom-8 mx-auto w-fit max-w-full rounded-md shadow-over">
              <Notice>
                The map could not be refreshed.{' '}
                <Button variant="link" size="sm" onClick={onRetry}>
                  Try Again
                </Button>
              </Notice>
            </div>
          )}
        </div>
        {plan.open ? (
          <TripPlanner plan={plan} onShow={(point) => map.current?.open(point)} onClose={closePlan} />
        ) : (
          <MapResultList items={items} toPin={pins.toPin} onShow={(point) => map.current?.open(point)} />
        )}
      </div>
      {!plan.open && <div className="mt-2">{footer}</div>}
    </div>
  );
}

const formatStopCount = (count: number) => `${count} ${count === 1 ? 'stop' : 'stops'}`;

/** "1 business", "10,000+ businesses" */
const formatPointCount = (count: number, capped: boolean) =>
  `${formatCount(count)}${capped ? '+' : ''} ${count === 1 ? 'business' : 'businesses'}`;
