import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { LeadItem } from '#contract/leads/lead.ts';
import { toWebsite } from '#contract/leads/website.ts';
import { linkClass, MailLink, PhoneLink, SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { leadQuery } from '#web/leads/lead-reads.data.ts';
import { isImported, LeadMarks, StatusBadge } from './LeadBadges.tsx';
import { mapsAddress, profileOf } from './LeadLinks.tsx';
import { siteName } from './site-name.ts';

interface Props {
  id: number;
  /** Whoever opened it by keyboard goes on inside it. */
  focus: boolean;
  /** Its content has come, and with it another size. */
  onSize: () => void;
}

/** What the map says about a lead, read when it is asked for. */
export function LeadPopup({ id, focus, onSize }: Props) {
  const lead = useQuery({ ...leadQuery({ id }), staleTime: 60_000 });
  const content = useRef<HTMLDivElement>(null);
  const resize = useRef(onSize);
  resize.current = onSize;
  const settled = !lead.isPending;

  useEffect(() => {
    resize.current();
    if (settled && focus) content.current?.focus();
  }, [settled, focus]);

  return (
    <section ref={content} aria-label="Business" tabIndex={-1}>
      {lead.isPending && <p role="status">Loading…</p>}
      {lead.isError && <p role="alert">{lead.error.message}</p>}
      {lead.data && <Facts item={lead.data} />}
    </section>
  );
}

function Facts({ item }: { item: LeadItem }) {
  const { business, userBusiness: lead, user } = item;
  const website = toWebsite(business.website);
  const { email } = lead.customFields;
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      <h3 className="pr-4 text-base font-semibold">{business.name}</h3>
      <div className="flex flex-wrap gap-1.5">
        <StatusBadge status={lead.status} />
        <LeadMarks lead={lead} />
      </div>
      {business.formattedAddress && <p className="m-0!">{business.formattedAddress}</p>}
      <p className="m-0! text-muted">Assigned to {user.fullName || user.username}</p>
      {business.phone && <PhoneLink to={business.phone} />}
      {website && <SafeLink to={website}>{siteName(website)}</SafeLink>}
      {email && <MailLink to={email} />}
      {!isImported(lead) && <SafeLink to={mapsAddress(business)}>View on map</SafeLink>}
      <Link href={profileOf(item)} className={linkClass}>
        Business Profile
      </Link>
    </div>
  );
}
