import { clsx } from 'clsx';
import { Clock, Globe, Mail, MapPin, Phone, UserRound } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { LeadItem } from '#contract/leads/lead.ts';
import { toWebsite } from '#contract/leads/website.ts';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { MailLink, PhoneLink, SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { isImported, LeadMarks, StatusBadge } from './LeadBadges.tsx';
import { LeadActions, mapsAddress, profileOf } from './LeadLinks.tsx';
import { relativeTime } from './relative-time.ts';
import { siteName } from './site-name.ts';

export interface LeadRowProps {
  item: LeadItem;
  now: Date;
  selected: boolean;
  onSelect: () => void;
  /** Just looked at: its place is shown for a moment. */
  highlighted: boolean;
}

export function LeadCard({ item, now, selected, onSelect, highlighted }: LeadRowProps) {
  const nameId = useId();
  const { business, userBusiness: lead, user } = item;
  const website = toWebsite(business.website);
  const email = lead.customFields.email;

  return (
    <article
      aria-labelledby={nameId}
      data-highlighted={highlighted || undefined}
      className={clsx(
        'flex h-full flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card transition-shadow',
        lead.viewed ? 'border-line' : 'border-awning',
        selected && 'ring-1 ring-pine',
        highlighted && 'ring-3 ring-pine',
      )}
    >
      <div className="flex items-start gap-3">
        <span className="flex h-6.5 items-center">
          <Checkbox label={`Select ${business.name}`} labelHidden checked={selected} onChange={onSelect} />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 id={nameId} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
            <Link href={profileOf(item)} className="hover:underline">
              {business.name}
            </Link>
          </h2>
          <LeadMarks lead={lead} />
        </div>
        <span className="flex h-6.5 items-center">
          <StatusBadge status={lead.status} />
        </span>
      </div>

      <dl className="grid flex-1 content-start gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
        <Fact label="Address" icon={<MapPin />} wide>
          {business.formattedAddress ?? <span className="text-muted">No address available</span>}
          {business.formattedAddress && !isImported(lead) && (
            <>
              {' '}
              <SafeLink to={mapsAddress(business)} className="whitespace-nowrap">
                View on map
              </SafeLink>
            </>
          )}
        </Fact>
        <Fact label="Assigned to" icon={<UserRound />}>
          {user.fullName || user.username}
        </Fact>
        <Fact label="Assigned" icon={<Clock />}>
          <time dateTime={lead.assignedAt}>Assigned {relativeTime(lead.assignedAt, now)}</time>
        </Fact>
        {business.phone && (
          <Fact label="Phone" icon={<Phone />}>
            <PhoneLink to={business.phone} />
          </Fact>
        )}
        {website && (
          <Fact label="Website" icon={<Globe />}>
            <SafeLink to={website}>{siteName(website)}</SafeLink>
          </Fact>
        )}
        {email && (
          <Fact label="Email" icon={<Mail />}>
            <MailLink to={email} />
          </Fact>
        )}
      </dl>
      <div className="flex justify-end">
        <LeadActions item={item} describedBy={nameId} look="primary" />
      </div>
    </article>
  );
}

function Fact({
  label,
  icon,
  wide,
  children,
}: {
  label: string;
  icon: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={clsx('flex min-w-0 items-start gap-2', wide && 'sm:col-span-2')}>
      <dt className="mt-0.5 shrink-0 text-muted [&_svg]:size-4">
        <span aria-hidden="true">{icon}</span>
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
