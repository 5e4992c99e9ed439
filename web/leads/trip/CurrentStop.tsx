import { MapPinCheck } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Link } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Trip, TripStop } from '#contract/leads/trip/trip.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { useCommands } from '#web/commands/commands.ts';
import { formatTime } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { LoadError, Notice } from '#web/kit/ui/Notice.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { ABOUT_HERE, directionsToPoint, directionsUrl } from '#web/leads/lead-links.ts';
import { useLead } from '#web/leads/leads.data.ts';
import { LogSheet } from '#web/leads/log/LogSheet.tsx';
import { ContactPanel, ContactTitle } from '#web/leads/work-queue/ContactPanel.tsx';
import { StopReasonText } from './StopReasonText.tsx';
import { useCheckIn } from './trip.data.ts';

interface Props {
  trip: Trip;
  stop: TripStop;
  heading: RefObject<HTMLHeadingElement | null>;
  onLogged: () => void;
}

/** The stop that the user is at or on the way to: the way there, the check-in, and how it went. */
export function CurrentStop({ trip, stop, heading, onLogged }: Props) {
  const leadRef = { uuid: stop.uuid };
  const lead = useLead(leadRef);
  return (
    <section
      aria-label="Current stop"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 shadow-card sm:gap-3 sm:p-4"
    >
      <p className="text-sm">
        <span className="font-semibold">
          Stop {trip.stops.indexOf(stop) + 1} of {trip.stops.length}
        </span>{' '}
        <StopReasonText reason={stop.reason} />
      </p>
      <ContactTitle status={stop.status}>
        <h2 ref={heading} tabIndex={-1} className="min-w-0 text-lg font-semibold md:text-2xl">
          {stop.name}
        </h2>
      </ContactTitle>
      {stop.address && <p className="text-sm [overflow-wrap:anywhere]">{stop.address}</p>}
      {stop.positionApproximate && <p className="text-sm text-muted">{ABOUT_HERE}</p>}
      {lead.data && <Contact trip={trip} stop={stop} profile={lead.data} onLogged={onLogged} />}
      {!lead.data && lead.isError && <LoadError onRetry={() => void lead.refetch()}>{lead.error.message}</LoadError>}
      {lead.isPending && <Skeleton lines={4} />}
    </section>
  );
}

function Contact({ trip, stop, profile, onLogged }: Omit<Props, 'heading'> & { profile: LeadProfile }) {
  const leadRef = { uuid: stop.uuid };
  const viewer = useViewer();
  const [logging, setLogging] = useState(false);
  const mayChange = canChangeLead(viewer, profile.userBusiness);
  const openLog = () => setLogging(true);
  useCommands({ logActivity: mayChange && openLog });
  return (
    <>
      <ContactPanel
        leadRef={leadRef}
        profile={profile}
        directions={stop.address ? directionsUrl(stop.name, stop.address) : directionsToPoint(stop)}
        inPerson
        actions={<CheckIn tripId={trip.id} stop={stop} />}
        mayChange={mayChange}
        onLog={openLog}
        onLogged={onLogged}
      />
      {!mayChange && (
        <Notice>
          {profile.user.fullName} holds this business: only its holder and admins can log a contact. Drop the stop to go
          on.
        </Notice>
      )}
      <Link href={`/business/uuid/${stop.uuid}`} className={`${linkClass} ${targetClass} self-start text-sm`}>
        Open lead<span className="sr-only">: {stop.name}</span>
      </Link>
      {logging && <LogSheet leadRef={leadRef} item={profile} onClose={() => setLogging(false)} onLogged={onLogged} />}
    </>
  );
}

/** Pressed again, it takes the arrival back. */
function CheckIn({ tripId, stop: { id, arrivedAt } }: { tripId: string; stop: TripStop }) {
  const timeZone = useTimeZone();
  const checkIn = useCheckIn(tripId);
  return (
    <Button
      variant="secondary"
      className="aria-pressed:border-pine aria-pressed:bg-pine-soft aria-pressed:text-pine-text"
      aria-pressed={arrivedAt !== null}
      busy={checkIn.isPending}
      onClick={() => checkIn.mutate({ id, arrived: arrivedAt === null })}
    >
      {!checkIn.isPending && <MapPinCheck aria-hidden="true" />}
      {arrivedAt && timeZone ? `Checked in ${formatTime(arrivedAt, timeZone)}` : 'Check in'}
    </Button>
  );
}
