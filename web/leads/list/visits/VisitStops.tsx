import { ArrowDown, ArrowUp, MapPin, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { VisitStop } from '#contract/leads/visits.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { PhoneNumber } from '#web/kit/ui/PhoneNumber.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import type { LeadPosition } from '#web/leads/list/map/LeadMap.tsx';
import { ABOUT_HERE } from '#web/leads/list/map/LeadPopup.tsx';
import type { Trip, Visits } from './use-visits.ts';

/** "0.4 miles", "12 miles" */
export const formatMiles = (miles: number) => `${miles < 10 ? miles.toFixed(1) : Math.round(miles)} miles`;

interface Props {
  trip: Trip;
  visits: Visits;
  onShow: (point: LeadPosition) => void;
  /** The pressed button is gone; the focus that it had has to go elsewhere. */
  onButtonRemoved: () => void;
}

type Direction = 'up' | 'down';

/** The stops in their order, which the user can change. */
export function VisitStops({ trip: { stops, legs, leftOut, changed }, visits, onShow, onButtonRemoved }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ id: number; direction: Direction }>();
  const position = moved ? stops.findIndex(({ id }) => id === moved.id) : -1;

  // The browser takes the focus away from an element that changes its place.
  useEffect(() => {
    if (!moved) return;
    const button = list.current?.querySelector(`[data-stop="${moved.id}"] [data-move="${moved.direction}"]`);
    if (button instanceof HTMLElement) button.focus();
  }, [moved]);

  function move(stop: VisitStop, direction: Direction) {
    const from = stops.indexOf(stop);
    const order = stops.filter((other) => other !== stop);
    order.splice(direction === 'up' ? from - 1 : from + 1, 0, stop);
    visits.setOrder(order);
    setMoved({ id: stop.id, direction });
  }

  function leaveOut(stop: VisitStop) {
    visits.setOrder(stops.filter((other) => other !== stop));
    onButtonRemoved();
  }

  return (
    <>
      <p role="status" className="sr-only">
        {moved && position >= 0 && `${stops[position]?.name} is now stop ${position + 1} of ${stops.length}`}
      </p>
      <ol ref={list} className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {stops.map((stop, index) => (
          <li key={stop.id} data-stop={stop.id} className="flex gap-3 p-3 text-sm">
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-pine text-xs font-semibold text-on-pine"
            >
              {index + 1}
            </span>
            <Stop
              stop={stop}
              distance={`${formatMiles(legs[index] ?? 0)} from ${index === 0 ? 'the start' : `stop ${index}`}`}
              onShow={onShow}
            />
            <div className="-my-1 -mr-1 flex shrink-0 flex-col">
              <IconButton
                data-move="up"
                icon={ArrowUp}
                label={`Move ${stop.name} up`}
                disabledReason={index === 0 ? 'This is the first stop' : undefined}
                onClick={() => move(stop, 'up')}
              />
              <IconButton
                data-move="down"
                icon={ArrowDown}
                label={`Move ${stop.name} down`}
                disabledReason={index === stops.length - 1 ? 'This is the last stop' : undefined}
                onClick={() => move(stop, 'down')}
              />
              <IconButton
                icon={X}
                label={`Leave ${stop.name} out`}
                disabledReason={stops.length === 1 ? 'A trip has at least one stop' : undefined}
                onClick={() => leaveOut(stop)}
              />
            </div>
          </li>
        ))}
        <li className="p-3 text-sm text-muted">Back to the start: {formatMiles(legs.at(-1) ?? 0)}</li>
      </ol>
      {changed && (
        <Button
          variant="secondary"
          onClick={() => {
            visits.resetOrder();
            onButtonRemoved();
          }}
        >
          Restore the short order
        </Button>
      )}
      <LeftOut
        stops={leftOut}
        onPutBack={(stop) => {
          visits.setOrder([...stops, stop]);
          onButtonRemoved();
        }}
      />
    </>
  );
}

function Stop({ stop, distance, onShow }: { stop: VisitStop; distance: string; onShow: Props['onShow'] }) {
  const { id, uuid, name, address, phone, phoneIsWrong, latitude, longitude, positionApproximate } = stop;
  return (
    <div className="flex min-w-0 flex-1 flex-col items-start gap-1 [overflow-wrap:anywhere]">
      <h3 className="font-semibold">{name}</h3>
      {address && <p>{address}</p>}
      {positionApproximate && <p className="text-muted">{ABOUT_HERE}</p>}
      <p className="text-muted">{distance}</p>
      <div className="flex flex-wrap items-center gap-x-4">
        {phone && <PhoneNumber phone={phone} isWrong={phoneIsWrong} className={targetClass} />}
        <Link href={`/business/uuid/${uuid}`} className={`${linkClass} ${targetClass}`}>
          Open lead<span className="sr-only">: {name}</span>
        </Link>
        <button
          type="button"
          onClick={() => onShow({ id, latitude, longitude })}
          className={`${linkClass} ${targetClass} max-lg:hidden`}
        >
          <MapPin aria-hidden="true" className="mr-1 inline size-4" />
          Show on the map<span className="sr-only">: {name}</span>
        </button>
      </div>
    </div>
  );
}

function LeftOut({ stops, onPutBack }: { stops: VisitStop[]; onPutBack: (stop: VisitStop) => void }) {
  if (stops.length === 0) return null;
  return (
    <section aria-label="Not on this trip" className="flex flex-col gap-1">
      <h3 className="text-sm font-semibold">Not on this trip</h3>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {stops.map((stop) => (
          <li key={stop.id} className="flex items-center justify-between gap-3 px-3 py-2 text-sm">
            <span className="min-w-0 [overflow-wrap:anywhere]">{stop.name}</span>
            <Button variant="secondary" size="sm" onClick={() => onPutBack(stop)}>
              Put back<span className="sr-only">: {stop.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
