import { X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_UNPLACED } from '#contract/leads/trip/trip.calls.ts';
import { MAX_DUE_MILES, TRIP_COUNTS } from '#contract/leads/trip/trip.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { RangeField } from '#web/kit/ui/forms/RangeField.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import type { LeadPosition } from '#web/leads/list/map/LeadMap.tsx';
import { StartTrip } from '#web/leads/trip/StartTrip.tsx';
import { formatMiles } from '#web/leads/trip/stop-reason.ts';
import { PlannedStops } from './PlannedStops.tsx';
import { TripLinks } from './TripLinks.tsx';
import { TripStart } from './TripStart.tsx';
import { CHOOSE_START } from './trip-state.ts';
import type { PlannedTrip, TripPlan } from './use-trip-plan.ts';

const COUNTS = TRIP_COUNTS.map((count) => ({ value: String(count), label: `Up to ${count} stops` }));

interface Props {
  plan: TripPlan;
  onShow: (point: LeadPosition) => void;
  onClose: () => void;
}

/** Plans a trip beside the map: where it starts, its stops, and its start or its hand-over to a maps app. */
export function TripPlanner({ plan, onShow, onClose }: Props) {
  const { query, planned, hasStart } = plan;
  const [choosing, setChoosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const summary = useRef<HTMLParagraphElement>(null);
  const startChosen = useRef(false);
  // Not where a link or Back opens a plan: the page is then scrolled to where the user was.
  const [opened] = useState(plan.trip === CHOOSE_START);
  useEffect(() => {
    if (opened) heading.current?.focus();
  }, [opened]);
  // The form that had the focus is gone.
  useEffect(() => {
    if (!planned || !startChosen.current) return;
    startChosen.current = false;
    summary.current?.focus();
  }, [planned]);

  const start = (trip: string) => {
    startChosen.current = true;
    setChoosing(false);
    plan.change({ trip });
  };

  return (
    <section
      aria-label="Plan a trip"
      // Positioned, because its visually hidden texts are: they would make the page as long as the list.
      className="relative flex min-h-0 flex-col gap-3 lg:h-0 lg:min-h-full lg:overflow-y-auto"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 ref={heading} tabIndex={-1} className="font-semibold">
          Plan a trip
        </h2>
        <IconButton icon={X} label="Close the plan" onClick={onClose} />
      </div>
      {planned && (
        <div className="flex items-center justify-between gap-3 text-sm">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            From <strong className="font-semibold">{planned.start.name ?? 'your position'}</strong>
          </p>
          <Button variant="secondary" size="sm" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            Change start
          </Button>
        </div>
      )}
      {planned?.start.notice && <Notice>{planned.start.notice}</Notice>}
      {(choosing || !planned) && (
        <TripStart
          key={plan.trip}
          trip={plan.trip}
          error={hasStart && query.isError ? query.error.message : undefined}
          onStart={start}
        />
      )}
      <SelectField
        label="Stops"
        options={COUNTS}
        value={String(plan.stops)}
        onChange={({ target }) => plan.change({ stops: Number(target.value) })}
      />
      <RangeField
        label="Go this far for what is due"
        hint={
          plan.due === 0 ? 'The nearest leads alone.' : 'What is overdue or due today comes first, then what is near.'
        }
        min={0}
        max={MAX_DUE_MILES}
        value={plan.due}
        formatValue={(miles) => (miles === 1 ? '1 mile' : `${miles} miles`)}
        onChange={(due) => plan.change({ due }, { replace: true })}
      />
      {hasStart && query.isPending && <Loading label="Looking for leads…" />}
      {planned && <Stops planned={planned} plan={plan} summary={summary} onShow={onShow} />}
      {planned && query.data && <Unplaced {...query.data.unplaced} />}
    </section>
  );
}

interface StopsProps {
  planned: PlannedTrip;
  plan: TripPlan;
  summary: RefObject<HTMLParagraphElement | null>;
  onShow: Props['onShow'];
}

function Stops({ planned, plan, summary, onShow }: StopsProps) {
  const { start, stops, legs } = planned;
  if (stops.length === 0) return <Notice>None of the open leads of this filter has a position.</Notice>;
  const total = legs.reduce((sum, leg) => sum + leg, 0);
  const due = stops.filter(({ reason }) => reason.kind === 'due').length;
  return (
    <>
      <p ref={summary} role="status" tabIndex={-1} className="text-sm">
        <strong className="font-semibold">
          {stops.length} {stops.length === 1 ? 'stop' : 'stops'}, {formatMiles(total)}
        </strong>{' '}
        <span className="text-muted">
          there and back, in straight lines{due > 0 && `; ${due === 1 ? '1 is' : `${due} are`} due`}
        </span>
      </p>
      <StartTrip start={{ latitude: start.latitude, longitude: start.longitude, name: start.name }} stops={stops} />
      <PlannedStops planned={planned} plan={plan} onShow={onShow} onButtonRemoved={() => summary.current?.focus()} />
      <TripLinks start={start} stops={stops} />
    </>
  );
}

/** Leads without a position cannot be on a trip; they are named, so that they can be visited all the same. */
function Unplaced({ count, leads }: { count: number; leads: { uuid: string; name: string }[] }) {
  if (count === 0) return null;
  const uncounted = count === MAX_UNPLACED ? '+' : '';
  const more = count - leads.length;
  return (
    <p className="text-sm text-muted [overflow-wrap:anywhere]">
      {count === 1 ? '1 open lead has no position' : `${formatCount(count)}${uncounted} open leads have no position`}:{' '}
      {leads.map(({ name }) => name).join(', ')}
      {more > 0 && ` and ${formatCount(more)}${uncounted} more`}
    </p>
  );
}
