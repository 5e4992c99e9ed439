import { X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_UNPLACED, VISIT_COUNTS } from '#contract/leads/visits.calls.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import type { LeadPosition } from '#web/leads/list/map/LeadMap.tsx';
import type { Trip, Visits } from './use-visits.ts';
import { VisitLinks } from './VisitLinks.tsx';
import { VisitStart } from './VisitStart.tsx';
import { formatMiles, VisitStops } from './VisitStops.tsx';
import { CHOOSE_START } from './visit-state.ts';

const COUNTS = VISIT_COUNTS.map((count) => ({ value: String(count), label: `${count} nearest` }));

interface Props {
  visits: Visits;
  onShow: (point: LeadPosition) => void;
  onClose: () => void;
}

/** The trip to the nearest leads beside the map: where it starts, its stops, and its hand-over to a maps app. */
export function VisitPanel({ visits, onShow, onClose }: Props) {
  const { query, trip, hasStart } = visits;
  const [choosing, setChoosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const summary = useRef<HTMLParagraphElement>(null);
  const startChosen = useRef(false);
  // Not where a link or Back opens a trip: the page is then scrolled to where the user was.
  const [opened] = useState(visits.visit === CHOOSE_START);
  useEffect(() => {
    if (opened) heading.current?.focus();
  }, [opened]);
  // The form that had the focus is gone.
  useEffect(() => {
    if (!trip || !startChosen.current) return;
    startChosen.current = false;
    summary.current?.focus();
  }, [trip]);

  const start = (visit: string) => {
    startChosen.current = true;
    setChoosing(false);
    visits.change({ visit });
  };

  return (
    <section
      aria-label="Visit order"
      // Positioned, because its visually hidden texts are: they would make the page as long as the list.
      className="relative flex min-h-0 flex-col gap-3 lg:h-0 lg:min-h-full lg:overflow-y-auto"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 ref={heading} tabIndex={-1} className="font-semibold">
          Visit order
        </h2>
        <IconButton icon={X} label="Close visit order" onClick={onClose} />
      </div>
      {trip && (
        <div className="flex items-center justify-between gap-3 text-sm">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            From <strong className="font-semibold">{trip.start.name ?? 'your position'}</strong>
          </p>
          <Button variant="secondary" size="sm" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            Change start
          </Button>
        </div>
      )}
      {trip?.start.notice && <Notice>{trip.start.notice}</Notice>}
      {(choosing || !trip) && (
        <VisitStart
          key={visits.visit}
          visit={visits.visit}
          error={hasStart && query.isError ? query.error.message : undefined}
          onStart={start}
        />
      )}
      <SelectField
        label="Open leads to visit"
        options={COUNTS}
        value={String(visits.stops)}
        onChange={({ target }) => visits.change({ stops: Number(target.value) })}
      />
      {hasStart && query.isPending && <Loading label="Looking for the nearest leads…" />}
      {trip && <Stops trip={trip} visits={visits} summary={summary} onShow={onShow} />}
      {trip && query.data && <Unplaced {...query.data.unplaced} />}
    </section>
  );
}

interface StopsProps {
  trip: Trip;
  visits: Visits;
  summary: RefObject<HTMLParagraphElement | null>;
  onShow: Props['onShow'];
}

function Stops({ trip, visits, summary, onShow }: StopsProps) {
  const { stops, legs } = trip;
  if (stops.length === 0) return <Notice>None of the open leads of this filter has a position.</Notice>;
  const total = legs.reduce((sum, leg) => sum + leg, 0);
  return (
    <>
      <p ref={summary} role="status" tabIndex={-1} className="text-sm">
        <strong className="font-semibold">
          {stops.length} {stops.length === 1 ? 'stop' : 'stops'}, {formatMiles(total)}
        </strong>{' '}
        <span className="text-muted">there and back, in straight lines</span>
      </p>
      <VisitLinks start={trip.start} stops={stops} />
      <VisitStops trip={trip} visits={visits} onShow={onShow} onButtonRemoved={() => summary.current?.focus()} />
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
