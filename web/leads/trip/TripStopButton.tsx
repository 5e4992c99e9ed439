import { MAX_STOPS } from '#contract/leads/trip/trip.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { useChangeStops, useTrip } from './trip.data.ts';

interface Props {
  /** A lead with a position. */
  id: number;
  name: string;
  /** Whether the lead can become a stop. */
  addable: boolean;
}

/** Adds a lead to the trip that the user is on, or drops it; nothing where they are on none. */
export function TripStopButton({ id, name, addable }: Props) {
  const trip = useTrip().data?.trip;
  const change = useChangeStops();
  if (!trip) return null;
  const ids = trip.stops.map((stop) => stop.id);
  const stop = trip.stops.find((stop) => stop.id === id);
  if (stop?.done) return <p className="m-0! font-medium text-good-text">Done on your trip</p>;
  if (!stop && !addable) return null;
  if (!stop && ids.length >= MAX_STOPS)
    return <p className="m-0! text-muted">Your trip has {MAX_STOPS} stops, and cannot have more.</p>;
  const changed = stop
    ? { stops: ids.filter((other) => other !== id), title: `Dropped ${name}` }
    : { stops: [...ids, id], title: `Added ${name} to your trip` };
  const onlyStop = stop !== undefined && ids.length === 1;
  return (
    <Button
      variant={stop ? 'secondary' : 'primary'}
      size="sm"
      className="self-start"
      busy={change.isPending}
      disabled={onlyStop}
      onClick={() => change.mutate({ tripId: trip.id, before: ids, ...changed })}
    >
      {stop ? 'Drop from trip' : 'Add to trip'}
    </Button>
  );
}
