import { Route } from 'lucide-react';
import { Link } from 'wouter';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { findCurrentStop, formatProgress, useTrip } from './trip.data.ts';

/** How far the user's trip is, and the way to it; nothing where they are on none. */
export function TripLine() {
  const trip = useTrip().data?.trip;
  if (!trip) return null;
  const next = findCurrentStop(trip);
  return (
    <section
      aria-label="Your trip"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <p className="flex min-w-0 flex-1 items-start gap-2 text-sm">
        <Route aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-semibold">Your trip:</span> {formatProgress(trip)}
          {next && <span className="text-muted">; next: {next.name}</span>}
        </span>
      </p>
      <ButtonLink size="sm" href="/trip">
        {next ? 'Go on' : 'Finish'}
      </ButtonLink>
    </section>
  );
}

/** The same in a few words. */
export function TripLink() {
  const trip = useTrip().data?.trip;
  if (!trip) return null;
  return (
    <Link href="/trip" className={`${linkClass} ${targetClass} text-sm`}>
      Your trip: {formatProgress(trip)}
    </Link>
  );
}
