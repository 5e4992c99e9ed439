import { clsx } from 'clsx';
import { Globe, Map as MapIcon, MapPin, Phone, UserRound } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { toWebsite } from '#contract/leads/website.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { PhoneLink, SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { distanceOf, priceOf, statusOf } from './business-words.ts';
import { LeadNote } from './LeadNote.tsx';
import { Rating } from './Rating.tsx';
import { displayAddress, displayPhone } from './sort-results.ts';

interface Props {
  result: BusinessResult;
  selected: boolean;
  onSelect: () => void;
}

export function ResultCard({ result, selected, onSelect }: Props) {
  const nameId = useId();
  const { name, rating, userRatingsTotal, ownerName, googleMapsUrl, distanceMetres, alreadyLead } = result;
  const phone = displayPhone(result);
  const website = toWebsite(result.website);

  return (
    <article
      aria-labelledby={nameId}
      className={clsx(
        'flex h-full flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card',
        selected && 'border-pine ring-1 ring-pine',
      )}
    >
      <div className="flex items-start gap-3">
        <span className="flex h-6.5 items-center">
          <Checkbox label={`Select ${name}`} labelHidden checked={selected} onChange={onSelect} />
        </span>
        <h3 id={nameId} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
      </div>
      <Marks result={result} />
      <Rating rating={rating} reviews={userRatingsTotal} />
      <dl className="flex flex-col gap-1.5 text-sm">
        <Fact label="Address" icon={<MapPin />}>
          {displayAddress(result) ?? <span className="text-muted">No address available</span>}
          {distanceMetres !== null && <span className="text-muted"> ({distanceOf(distanceMetres)})</span>}
        </Fact>
        {phone && (
          <Fact label="Phone" icon={<Phone />}>
            <PhoneLink to={phone} />
          </Fact>
        )}
        {ownerName && (
          <Fact label="Owner" icon={<UserRound />}>
            {ownerName}
          </Fact>
        )}
      </dl>
      <div className="flex flex-1 flex-wrap content-start gap-x-5 gap-y-1.5 text-sm empty:hidden">
        {website && (
          <span className="inline-flex items-center gap-2">
            <Globe aria-hidden="true" className="size-4 text-muted" />
            <SafeLink to={website}>Website</SafeLink>
          </span>
        )}
        {googleMapsUrl && (
          <span className="inline-flex items-center gap-2">
            <MapIcon aria-hidden="true" className="size-4 text-muted" />
            <SafeLink to={googleMapsUrl}>View on map</SafeLink>
          </span>
        )}
      </div>
      {alreadyLead && (
        <div className="mt-auto border-t border-line pt-3">
          <LeadNote result={result} />
        </div>
      )}
    </article>
  );
}

function Marks({ result: { businessStatus, openNow, priceLevel } }: { result: BusinessResult }) {
  const { label, tone } = statusOf(businessStatus);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{label}</Badge>
      {openNow && <Badge tone="pine">Open Now</Badge>}
      <span className="text-sm text-muted">
        <span className="sr-only">Price level: </span>
        <span>{priceOf(priceLevel)}</span>
      </span>
    </div>
  );
}

function Fact({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-start gap-2">
      <dt className="mt-0.5 shrink-0 text-muted [&>svg]:size-4">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
