import { MapPin } from 'lucide-react';
import { Link } from 'wouter';
import type { PlannedStop } from '#contract/leads/trip/trip.ts';
import { PhoneNumber } from '#web/contact-rules/PhoneNumber.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { ABOUT_HERE } from '#web/leads/lead-links.ts';
import type { LeadPosition } from '#web/leads/list/map/LeadMap.tsx';
import { StopList } from '#web/leads/trip/StopList.tsx';
import { StopReasonAndLeg } from '#web/leads/trip/StopReasonText.tsx';
import { formatMiles } from '#web/leads/trip/stop-reason.ts';
import type { PlannedTrip, TripPlan } from './use-trip-plan.ts';

interface Props {
  planned: PlannedTrip;
  plan: TripPlan;
  onShow: (point: LeadPosition) => void;
  /** The pressed button is gone; the focus that it had has to go elsewhere. */
  onButtonRemoved: () => void;
}

/** The stops in their order, which the user can change. */
export function PlannedStops({ planned: { stops, legs, leftOut, changed }, plan, onShow, onButtonRemoved }: Props) {
  return (
    <>
      <StopList
        stops={stops}
        dropDisabledReason={stops.length === 1 ? 'A trip has at least one stop' : undefined}
        onReorder={plan.setOrder}
        onDrop={(stop) => {
          plan.setOrder(stops.filter((other) => other !== stop));
          onButtonRemoved();
        }}
        footer={`Back to the start: ${formatMiles(legs.at(-1) ?? 0)}`}
      >
        {(stop, index) => <Stop stop={stop} index={index} miles={legs[index] ?? 0} onShow={onShow} />}
      </StopList>
      {changed && (
        <Button
          variant="secondary"
          onClick={() => {
            plan.resetOrder();
            onButtonRemoved();
          }}
        >
          Restore the short order
        </Button>
      )}
      <LeftOut
        stops={leftOut}
        onPutBack={(stop) => {
          plan.setOrder([...stops, stop]);
          onButtonRemoved();
        }}
      />
    </>
  );
}

interface StopProps {
  stop: PlannedStop;
  index: number;
  /** From the stop before, or from the start. */
  miles: number;
  onShow: Props['onShow'];
}

function Stop({ stop, index, miles, onShow }: StopProps) {
  const { id, uuid, name, address, phone, phoneIsWrong, objections, latitude, longitude } = stop;
  const { positionApproximate, reason } = stop;
  return (
    <div className="flex min-w-0 flex-1 flex-col items-start gap-1 [overflow-wrap:anywhere]">
      <h3 className="font-semibold">{name}</h3>
      <StopReasonAndLeg reason={reason} index={index} miles={miles} />
      {address && <p>{address}</p>}
      {positionApproximate && <p className="text-muted">{ABOUT_HERE}</p>}
      <div className="flex flex-wrap items-center gap-x-4">
        {phone && <PhoneNumber phone={phone} isWrong={phoneIsWrong} objections={objections} className={targetClass} />}
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

function LeftOut({ stops, onPutBack }: { stops: PlannedStop[]; onPutBack: (stop: PlannedStop) => void }) {
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
