import { useEffect, useEffectEvent, useRef } from 'react';
import type { Trip } from '#contract/leads/trip/trip.ts';
import { type StreetMapOptions, streetMapClass, useStreetMap } from '#web/kit/map/use-street-map.ts';
import { addTrip } from './trip-markers.ts';

interface Props extends Pick<StreetMapOptions, 'tiles' | 'onTiles'> {
  trip: Trip;
  onPick: (stopId: number) => void;
}

/** The stops of a trip, by the numbers they have in the list. */
export function TripMap({ trip, onPick, ...options }: Props) {
  const { id, start, stops } = trip;
  const container = useRef<HTMLElement>(null);
  // Another order of the same stops leaves the map where the user has moved it.
  const ids = stops.map((stop) => stop.id).sort((a, b) => a - b);
  const { map } = useStreetMap(container, {
    points: [start, ...stops],
    frameKey: `${id} ${ids.join()}`,
    ...options,
  });
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    if (map) return addTrip(map, { start, stops }, (stop) => pick(stop.id));
  }, [map, start, stops]);
  return <section ref={container} aria-label="Map of the trip" className={streetMapClass} />;
}
