import { clsx } from 'clsx';
import { Globe, History, Mail, MapPin, Phone, Store } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { useViewer } from '#web/auth/session.data.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { LeadEmail } from '#web/leads/LeadEmail.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { formatWebsite, mapsUrl, profilePath } from '#web/leads/lead-links.ts';
import { isImported, LeadBadges, StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import { useLatestActivity } from '#web/leads/log/log.data.ts';
import { formatRelativeTime } from '#web/leads/relative-time.ts';
import { TypeOfBusiness } from '#web/leads/TypeOfBusiness.tsx';
import { LeadActions } from './LeadActions.tsx';

export interface LeadsProps {
  items: ListedLead[];
  selection: Selection<number>;
  /** The uuid of the lead that is highlighted for a moment after the return from its profile. */
  highlighted: string | undefined;
}

export function LeadCards({ items, selection, highlighted }: LeadsProps) {
  const viewer = useViewer();
  const now = new Date();
  const allOwn = items.every(({ user }) => user.id === viewer.id);
  return (
    <ul aria-label="Leads" className="grid gap-3 lg:grid-cols-2">
      {items.map((item) => (
        <li key={item.userBusiness.id} className="min-w-0">
          <LeadCard
            item={item}
            now={now}
            holderHidden={allOwn}
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
  item: ListedLead;
  now: Date;
  /** Every card on the page has the same holder, the viewer: the name is for screen readers only. */
  holderHidden: boolean;
  selected: boolean;
  onSelect: () => void;
  highlighted: boolean;
}

function LeadCard({ item, now, holderHidden, selected, onSelect, highlighted }: CardProps) {
  const nameId = useId();
  const { business, userBusiness: lead, user } = item;
  const website = parseStoredWebsite(business.website);
  const email = lead.customFields.email;

  return (
    <article
      aria-labelledby={nameId}
      data-highlighted={highlighted || undefined}
      className={clsx(
        'flex h-full flex-col gap-2 rounded-lg border bg-surface p-3 shadow-card transition-shadow sm:px-4',
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
            <Link href={profilePath(item)} className="hit-area inline-block hover:underline">
              {business.name}
            </Link>
          </h2>
          <LeadBadges lead={lead} />
        </div>
        <span className="flex h-6.5 items-center">
          <StatusBadge status={lead.status} />
        </span>
      </div>

      <WhyFound match={item.match} className="line-clamp-2" />
      <dl className="flex flex-1 flex-wrap content-start gap-x-5 gap-y-1 text-sm">
        {business.type && (
          <Detail label="Type of business" icon={<Store />} className="basis-full">
            <TypeOfBusiness business={business} />
          </Detail>
        )}
        <Detail label="Address" icon={<MapPin />} className="basis-full">
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
        {business.phone && (
          <Detail label="Phone" icon={<Phone />} className="max-sm:items-center">
            <LeadPhone business={business} className={targetClass} />
          </Detail>
        )}
        {website && (
          <Detail label="Website" icon={<Globe />} className="max-sm:items-center">
            <SafeLink to={website} className={targetClass}>
              {formatWebsite(website)}
            </SafeLink>
          </Detail>
        )}
        {email && (
          <Detail label="Email" icon={<Mail />} className="max-sm:items-center">
            <LeadEmail business={business} email={email} className={targetClass} />
          </Detail>
        )}
        <Detail label="Last contact" icon={<History />} className="basis-full">
          <LastContact item={item} now={now} />
        </Detail>
      </dl>
      <NextStep lead={lead} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <dl className="flex min-w-0 flex-wrap gap-x-1 text-sm text-muted">
          <div>
            <dt className="sr-only">Assigned</dt>
            <dd>
              <time dateTime={lead.assignedAt}>Assigned {formatRelativeTime(lead.assignedAt, now)}</time>
            </dd>
          </div>
          <div className={holderHidden ? 'sr-only' : undefined}>
            <dt className="inline">to</dt> <dd className="inline">{user.fullName || user.username}</dd>
          </div>
        </dl>
        <LeadActions item={item} describedBy={nameId} variant="primary" />
      </div>
    </article>
  );
}

/** When the business was last contacted, and the first line of what was written last. */
function LastContact({ item: { userBusiness: lead, latestActivity }, now }: { item: ListedLead; now: Date }) {
  const firstLine = useLatestActivity(latestActivity) ?? lead.notes.trim().split('\n')[0];
  return (
    <span className="line-clamp-1">
      {lead.lastContactedAt ? (
        <time dateTime={lead.lastContactedAt}>{formatRelativeTime(lead.lastContactedAt, now)}</time>
      ) : (
        <span className="text-muted">No contact yet</span>
      )}
      {firstLine && <span className="text-muted"> · {firstLine}</span>}
    </span>
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
