import { LocateFixed, MapIcon } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'wouter';
import type { Trip, TripStop } from '#contract/leads/trip/trip.ts';
import { legMiles, orderStops } from '#contract/leads/trip/trip-order.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { mayLocate, useBrowserPosition } from '#web/kit/browser-position.ts';
import { formatTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { StopList } from './StopList.tsx';
import { StopReasonAndLeg } from './StopReasonText.tsx';
import { formatMiles } from './stop-reason.ts';
import { useChangeStops } from './trip.data.ts';

interface Props {
  trip: Trip;
  current: TripStop | undefined;
  list: RefObject<HTMLOListElement | null>;
  /** The page was loaded to ask for the position. */
  locateNow: boolean;
  onLocating: () => void;
}

/** The stops of the trip, which can be moved and dropped, and ordered again from where the user is. */
export function TripStops({ trip, current, list, locateNow, onLocating }: Props) {
  const { id: tripId, start, stops } = trip;
  const change = useChangeStops();
  const ids = stops.map(({ id }) => id);
  const setStops = (next: readonly TripStop[], title?: string) =>
    change.mutate({ tripId, stops: next.map(({ id }) => id), ...(title && { title, before: ids }) });
  const [done, left] = [stops.filter((stop) => stop.done), stops.filter((stop) => !stop.done)];

  const position = useBrowserPosition(
    (here) => setStops([...done, ...orderStops(here, left, start)], 'Ordered again from your position'),
    'move the stops yourself',
  );
  // Only a page that is loaded at this path may ask for the position.
  const locate = () => (mayLocate() ? position.locate() : window.location.assign('/trip?order=here'));
  const locateOnLoad = useEffectEvent(() => {
    if (!locateNow) return;
    onLocating();
    position.locate();
  });
  useEffect(() => locateOnLoad(), []);

  const heading = useRef<HTMLHeadingElement>(null);
  function drop(stop: TripStop) {
    const at = left.indexOf(stop);
    const neighbour = left[at + 1] ?? left[at - 1];
    const button = list.current?.querySelector<HTMLElement>(`[data-stop="${neighbour?.id}"] [data-drop]`);
    // The pressed button is about to go.
    (button ?? heading.current)?.focus();
    setStops(
      stops.filter((other) => other !== stop),
      `Dropped ${stop.name}`,
    );
  }

  const legs = legMiles(start, stops);
  return (
    <section aria-labelledby="trip-stops" className="relative flex flex-col gap-3">
      <h2 ref={heading} id="trip-stops" tabIndex={-1} className="text-lg font-semibold">
        Stops
      </h2>
      <div className="flex flex-wrap gap-2">
        {left.length > 1 && (
          <Button variant="secondary" size="sm" busy={position.locating} onClick={locate}>
            {!position.locating && <LocateFixed aria-hidden="true" />}
            Order again from here
          </Button>
        )}
        <ButtonLink variant="secondary" size="sm" href="/crm?view=map">
          <MapIcon aria-hidden="true" />
          Add stops on the map
        </ButtonLink>
      </div>
      {position.error && <Notice tone="danger">{position.error}</Notice>}
      {stops.length > 0 && (
        <StopList
          stops={stops}
          current={current?.id}
          list={list}
          dropDisabledReason={stops.length === 1 ? 'This is the only stop: end the trip instead' : undefined}
          onReorder={setStops}
          onDrop={drop}
          footer={`Back to the start: ${formatMiles(legs.at(-1) ?? 0)}`}
        >
          {(stop, index) => (
            <Stop stop={stop} isCurrent={stop.id === current?.id} index={index} miles={legs[index] ?? 0} />
          )}
        </StopList>
      )}
    </section>
  );
}

interface StopProps {
  stop: TripStop;
  isCurrent: boolean;
  index: number;
  /** From the stop before, or from the start. */
  miles: number;
}

function Stop({ stop, isCurrent, index, miles }: StopProps) {
  const timeZone = useTimeZone();
  const { uuid, name, address, reason, arrivedAt, done } = stop;
  return (
    <div className="flex min-w-0 flex-1 flex-col items-start gap-1 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-center gap-x-2">
        <h3>
          <Link href={`/business/uuid/${uuid}`} className="hit-area inline-block font-semibold hover:underline">
            {name}
          </Link>
        </h3>
        {done && <Badge tone="good">Done</Badge>}
        {isCurrent && <Badge tone="info">Current</Badge>}
      </div>
      {!done && <StopReasonAndLeg reason={reason} index={index} miles={miles} />}
      {address && <p>{address}</p>}
      {arrivedAt && timeZone && <p className="text-muted">Arrived {formatTime(arrivedAt, timeZone)}</p>}
    </div>
  );
}
