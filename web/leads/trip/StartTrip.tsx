import { Navigation } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { TripStart } from '#contract/leads/trip/trip.ts';
import { formatCounted } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { countDone, useStartTrip, useTrip } from './trip.data.ts';

interface Props {
  start: TripStart;
  stops: readonly { id: number }[];
}

/** Starts a trip and opens it. Where the user is on another one that is not finished, it asks before. */
export function StartTrip({ start, stops }: Props) {
  const [, navigate] = useLocation();
  const running = useTrip().data?.trip;
  const left = running ? running.stops.length - countDone(running) : 0;
  const starting = useStartTrip();
  const [asking, setAsking] = useState(false);
  const go = () => starting.mutate({ start, stops: stops.map(({ id }) => id) }, { onSuccess: () => navigate('/trip') });
  return (
    <>
      <Button busy={starting.isPending} onClick={() => (left > 0 ? setAsking(true) : go())}>
        {!starting.isPending && <Navigation aria-hidden="true" />}
        Start this trip
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Start another trip?"
        description={`You are on a trip with ${formatCounted(left, 'stop')} left. This one takes its place; what you have logged stays.`}
        confirmLabel="Start this trip"
        tone="primary"
        busy={starting.isPending}
        onConfirm={go}
      />
    </>
  );
}
