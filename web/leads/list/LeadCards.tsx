import { clsx } from 'clsx';
import { Clock, Globe, Mail, MapPin, Phone, UserRound } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { LeadItem } from '#contract/leads/lead.ts';
import { toWebsite } from '#contract/leads/website.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { MailLink, PhoneLink, SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { formatWebsite, mapsUrl, profilePath } from '#web/leads/lead-links.ts';
import { LeadActions } from './LeadActions.tsx';
import { isImported, LeadBadges, StatusBadge } from './LeadBadges.tsx';
import { formatRelativeTime } from './relative-time.ts';

export interface LeadsProps {
  items: LeadItem[];
  selection: Selection<number>;
  /** The uuid of the lead that is highlighted for a moment after the return from its profile. */
  highlighted: string | undefined;
}

export function LeadCards({ items, selection, highlighted }: LeadsProps) {
  const now = new Date();
  return (
    <ul aria-label="Leads" className="grid gap-3 lg:grid-cols-2">
      {items.map((item) => (
        <li key={item.userBusiness.id} className="min-w-0">
          <LeadCard
            item={item}
            now={now}
            selected={selection.ids.has(item.userBusiness.id)}
            onSelect={() => selection.toggle(item.userBusiness.id)}
            highlighted={item.userBusiness.uuid === highlighted}
          />
        </li>
      ))}
    </ul>
  );
}

interface CardProps {
  item: LeadItem;
  now: Date;
  selected: boolean;
  onSelect: () => void;
  highlighted: boolean;
}

function LeadCard({ item, now, selected, onSelect, highlighted }: CardProps) {
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
        lead.viewed ? 'border-line' : 'border-new',
        selected && 'ring-1 ring-pine',
        highlighted && 'ring-3 ring-pine',
      )}
    >
      <div className="flex items-start gap-3">
        {/* 26 px: centred on the first line of the name. */}
        <span className="flex h-6.5 items-center">
          <Checkbox label={`Select ${business.name}`} labelHidden checked={selected} onChange={onSelect} />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 id={nameId} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
            <Link href={profilePath(item)} className="hover:underline">
              {business.name}
            </Link>
          </h2>
          <LeadBadges lead={lead} />
        </div>
        <span className="flex h-6.5 items-center">
          <StatusBadge status={lead.status} />
        </span>
      </div>

      <dl className="grid flex-1 content-start gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
        <Detail label="Address" icon={<MapPin />} className="sm:col-span-2">
          {business.formattedAddress ?? <span className="text-muted">No address available</span>}
          {business.formattedAddress && !isImported(lead) && (
            <>
              {' '}
              <SafeLink to={mapsUrl(business)} className="whitespace-nowrap">
                View on map
              </SafeLink>
            </>
          )}
        </Detail>
        <Detail label="Assigned to" icon={<UserRound />}>
          {user.fullName || user.username}
        </Detail>
        <Detail label="Assigned" icon={<Clock />}>
          <time dateTime={lead.assignedAt}>Assigned {formatRelativeTime(lead.assignedAt, now)}</time>
        </Detail>
        {business.phone && (
          <Detail label="Phone" icon={<Phone />}>
            <PhoneLink to={business.phone} />
          </Detail>
        )}
        {website && (
          <Detail label="Website" icon={<Globe />}>
            <SafeLink to={website}>{formatWebsite(website)}</SafeLink>
          </Detail>
        )}
        {email && (
          <Detail label="Email" icon={<Mail />}>
            <MailLink to={email} />
          </Detail>
        )}
      </dl>
      <div className="flex justify-end">
        <LeadActions item={item} describedBy={nameId} variant="primary" />
      </div>
    </article>
  );
}

interface DetailProps {
  label: string;
  icon: ReactNode;
  className?: string;
  children: ReactNode;
}

function Detail({ label, icon, className, children }: DetailProps) {
  return (
    <div className={clsx('flex min-w-0 items-start gap-2', className)}>
      <dt className="mt-0.5 shrink-0 text-muted [&_svg]:size-4">
        <span aria-hidden="true">{icon}</span>
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
