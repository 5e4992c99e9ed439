import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { LeadItem } from '#contract/leads/lead.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { linkClass, SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { LeadEmail } from '#web/leads/LeadEmail.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { ABOUT_HERE, formatWebsite, mapsUrl, profilePath } from '#web/leads/lead-links.ts';
import { leadQuery } from '#web/leads/leads.data.ts';
import { isImported, LeadBadges, StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { TypeOfBusiness } from '#web/leads/TypeOfBusiness.tsx';
import { TripStopButton } from '#web/leads/trip/TripStopButton.tsx';

interface Props {
  id: number;
  /** Whether the popup takes the focus when it is loaded. */
  focus: boolean;
  /** Whether it can be added to the trip that the user is on; not while another one is planned. */
  onTrip: boolean;
  /** The content has loaded, and the popup has to be resized. */
  onResize: () => void;
}

/** The lead is loaded when its popup opens. */
export function LeadPopup({ id, focus, onTrip, onResize }: Props) {
  const lead = useQuery({ ...leadQuery({ id }), staleTime: 60_000 });
  const content = useRef<HTMLDivElement>(null);
  const resize = useRef(onResize);
  resize.current = onResize;
  const loaded = !lead.isPending;

  useEffect(() => {
    resize.current();
    if (loaded && focus) content.current?.focus();
  }, [loaded, focus]);

  return (
    <section ref={content} aria-label="Business" tabIndex={-1}>
      {lead.isPending && <p role="status">Loading…</p>}
      {lead.isError && <LoadError onRetry={() => void lead.refetch()}>{lead.error.message}</LoadError>}
      {lead.data && <Details item={lead.data} onTrip={onTrip} />}
    </section>
  );
}

function Details({ item, onTrip }: { item: LeadItem; onTrip: boolean }) {
  const { business, userBusiness: lead, user } = item;
  const website = parseStoredWebsite(business.website);
  const { email } = lead.customFields;
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      <h3 className="pr-4 text-base max-sm:pr-9 font-semibold">{business.name}</h3>
      <div className="flex flex-wrap gap-2">
        <StatusBadge status={lead.status} />
        <LeadBadges lead={lead} />
      </div>
      {business.type && (
        <p className="m-0!">
          <TypeOfBusiness business={business} />
        </p>
      )}
      <NextStep lead={lead} />
      {business.formattedAddress && <p className="m-0!">{business.formattedAddress}</p>}
      {business.positionApproximate && <p className="m-0! text-muted">{ABOUT_HERE}</p>}
      <p className="m-0! text-muted">Assigned to {user.fullName || user.username}</p>
      <LeadPhone business={business} className={targetClass} />
      {website && (
        <SafeLink to={website} className={targetClass}>
          {formatWebsite(website)}
        </SafeLink>
      )}
      {email && <LeadEmail business={business} email={email} className={targetClass} />}
      {!isImported(lead) && (
        <SafeLink to={mapsUrl(business)} className={targetClass}>
          View on map
        </SafeLink>
      )}
      <Link href={profilePath(item)} className={`${linkClass} ${targetClass}`}>
        Business Profile
      </Link>
      {onTrip && <TripStopButton id={lead.id} name={business.name} addable={!lead.archived} />}
    </div>
  );
}
