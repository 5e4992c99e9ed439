import { useQueryClient } from '@tanstack/react-query';
import { Flag, Route } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { Trip } from '#contract/leads/trip/trip.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { formatCounted } from '#web/kit/format.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { AsOf } from '#web/kit/ui/AsOf.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { usePrefetchedProfile } from '#web/leads/work-queue/work.data.ts';
import { CurrentStop } from './CurrentStop.tsx';
import { TripStops } from './TripStops.tsx';
import { countDone, findCurrentStop, formatProgress, markStopDone, useEndTrip, useTrip } from './trip.data.ts';

// Leaflet is loaded when a map is first opened.
const TripMap = lazyComponent(
  async () => (await import('./TripMap.tsx')).TripMap,
  <Loading label="Loading the map…" />,
);

const PLAN = '/crm?view=map&trip=choose';

/** The trip that the user is on: one stop after the other, until they end it. */
export function TripScreen() {
  const query = useTrip();
  const draftsReady = useUnlockedDrafts(useViewer().id);
  const trip = query.data?.trip;
  if (trip && draftsReady) return <RunningTrip trip={trip} readAt={query.dataUpdatedAt} />;
  return (
    <Page title="Your trip">
      {query.data && !trip && <NoTrip />}
      {query.isError && !query.data && (
        <ErrorState title="Your trip could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      )}
      {(query.isPending || (trip && !draftsReady)) && <Loading label="Loading your trip…" />}
    </Page>
  );
}

function NoTrip() {
  return (
    <EmptyState icon={Route} title="You are not on a trip" actions={<ButtonLink href={PLAN}>Plan a trip</ButtonLink>}>
      A trip takes what is due first, then what is near: up to 25 of your leads, one stop after the other, each with the
      way there, a check-in and its outcome. It stays here until you end it, on every device.
    </EmptyState>
  );
}

const NOT_LOCATING = { order: '' };
const params = z.object({ order: z.enum(['', 'here']).catch('') });

function RunningTrip({ trip, readAt }: { trip: Trip; readAt: number }) {
  const queries = useQueryClient();
  const [{ order }, changeUrl] = useUrlState<typeof NOT_LOCATING>(params, NOT_LOCATING);
  const current = findCurrentStop(trip);
  const following = trip.stops.find((stop) => !stop.done && stop !== current);
  usePrefetchedProfile(following?.uuid);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const wentOn = useRef(false);
  // The button that had the focus was that of the stop before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another stop is the current one
  useEffect(() => {
    if (wentOn.current) heading.current?.focus();
    wentOn.current = false;
  }, [current?.id]);

  return (
    <Page
      title="Your trip"
      aside={<p className="text-sm text-muted">{formatProgress(trip)}</p>}
      actions={<EndTrip trip={trip} />}
    >
      <AsOf at={readAt} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:items-start lg:gap-6">
        <div className="flex min-w-0 flex-col gap-4">
          {current ? (
            <CurrentStop
              key={current.id}
              trip={trip}
              stop={current}
              heading={heading}
              onLogged={() => {
                wentOn.current = true;
                markStopDone(queries, current.id);
              }}
            />
          ) : (
            <AllDone trip={trip} heading={heading} />
          )}
          <MapOfTrip trip={trip} onPick={(id) => focusStop(list.current, id)} />
        </div>
        <TripStops
          trip={trip}
          current={current}
          list={list}
          locateNow={order === 'here'}
          onLocating={() => changeUrl(() => NOT_LOCATING, { replace: true })}
        />
      </div>
    </Page>
  );
}

function AllDone({ trip, heading }: { trip: Trip; heading: React.RefObject<HTMLHeadingElement | null> }) {
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        {trip.stops.length ? `All ${formatCounted(trip.stops.length, 'stop')} done` : 'No stop is left'}
      </h2>
      <p className="mt-1 text-sm text-muted">
        {trip.stops.length
          ? 'End the trip, or add more stops on the map.'
          : 'The leads of this trip were given to others, archived or deleted. End it, or add stops on the map.'}
      </p>
    </Card>
  );
}

function EndTrip({ trip }: { trip: Trip }) {
  const end = useEndTrip();
  const [asking, setAsking] = useState(false);
  const left = trip.stops.length - countDone(trip);
  return (
    <>
      <Button
        variant={left ? 'secondary' : 'primary'}
        size="sm"
        busy={end.isPending}
        onClick={() => (left ? setAsking(true) : end.mutate(trip))}
      >
        {!end.isPending && <Flag aria-hidden="true" />}
        End trip
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="End this trip?"
        description={`${formatCounted(left, 'stop')} ${left === 1 ? 'is' : 'are'} left. What you have logged stays.`}
        confirmLabel="End trip"
        busy={end.isPending}
        onConfirm={() => end.mutate(trip)}
      />
    </>
  );
}

function MapOfTrip({ trip, onPick }: { trip: Trip; onPick: (id: number) => void }) {
  const tiles = useSettings().data;
  const [tilesWork, setTilesWork] = useState(true);
  return (
    <div className="flex flex-col gap-2">
      {!tilesWork && <Notice>The map's pictures cannot be fetched right now. It shows coasts and towns only.</Notice>}
      <div className="relative h-72 lg:h-96">
        <TripMap trip={trip} tiles={tiles} onTiles={setTilesWork} onPick={onPick} />
      </div>
    </div>
  );
}

const focusStop = (list: HTMLElement | null, id: number) =>
  list?.querySelector<HTMLElement>(`[data-stop="${id}"] a`)?.focus();
