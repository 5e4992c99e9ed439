import { clsx } from 'clsx';
import { Globe, Map as MapIcon, MapPin, Phone, UserRound } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { METRES_PER_MILE } from '#contract/search/radius.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { PhoneNumber } from '#web/contact-rules/PhoneNumber.tsx';
import type { Selection } from '#web/kit/selection.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { LeadNote } from './LeadNote.tsx';
import { Rating } from './Rating.tsx';
import { formatAddress, formatPhone } from './results-view.ts';
import { TakeLead } from './TakeLead.tsx';

interface Props {
  results: readonly BusinessResult[];
  selection: Selection<string>;
}

export function ResultCards({ results, selection }: Props) {
  return (
    <ul aria-label="Businesses" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {results.map((result) => (
        <li key={result.placeId} className="min-w-0">
          <ResultCard
            result={result}
            selected={selection.ids.has(result.placeId)}
            onSelect={() => selection.toggle(result.placeId)}
          />
        </li>
      ))}
    </ul>
  );
}

interface CardProps {
  result: BusinessResult;
  selected: boolean;
  onSelect: () => void;
}

function ResultCard({ result, selected, onSelect }: CardProps) {
  const nameId = useId();
  const { name, rating, userRatingsTotal, ownerName, googleMapsUrl, distanceMetres, alreadyLead } = result;
  const phone = formatPhone(result);
  const website = parseStoredWebsite(result.website);

  return (
    <article
      aria-labelledby={nameId}
      className={clsx(
        'flex h-full flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card',
        selected && 'border-pine ring-1 ring-pine',
      )}
    >
      <div className="flex items-start gap-3">
        <span className="flex h-lh items-center text-lg">
          <Checkbox label={`Select ${name}`} labelHidden checked={selected} onChange={onSelect} />
        </span>
        <h3 id={nameId} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
      </div>
      <StatusLine result={result} />
      <Rating rating={rating} reviews={userRatingsTotal} />
      <dl className="flex flex-col gap-1 text-sm">
        <Fact label="Address" icon={<MapPin />}>
          {formatAddress(result) ?? <span className="text-muted">No address available</span>}
          {distanceMetres !== null && <span className="text-muted"> ({formatDistance(distanceMetres)})</span>}
        </Fact>
        {phone && (
          <Fact label="Phone" icon={<Phone />} className="max-sm:items-center">
            <PhoneNumber
              phone={phone}
              isWrong={result.phoneIsWrong}
              objections={result.objections}
              className={targetClass}
            />
          </Fact>
        )}
        {ownerName && (
          <Fact label="Owner" icon={<UserRound />}>
            {ownerName}
          </Fact>
        )}
      </dl>
      <div className="flex flex-1 flex-wrap content-start gap-x-5 gap-y-1 text-sm empty:hidden">
        {website && (
          <span className="inline-flex items-center gap-2">
            <Globe aria-hidden="true" className="size-4 text-muted" />
            <SafeLink to={website} className={targetClass}>
              Website
            </SafeLink>
          </span>
        )}
        {googleMapsUrl && (
          <span className="inline-flex items-center gap-2">
            <MapIcon aria-hidden="true" className="size-4 text-muted" />
            <SafeLink to={googleMapsUrl} className={targetClass}>
              View on map
            </SafeLink>
          </span>
        )}
      </div>
      {alreadyLead && (
        <div className="mt-auto border-t border-line pt-3">
          <LeadNote result={result} />
        </div>
      )}
      <div className="mt-auto empty:hidden">
        <TakeLead result={result} />
      </div>
    </article>
  );
}

function StatusLine({ result: { businessStatus, openNow, priceLevel } }: { result: BusinessResult }) {
  const { label, tone } = toStatusBadge(businessStatus);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{label}</Badge>
      {openNow && <Badge tone="pine">Open Now</Badge>}
      <span className="text-sm text-muted">
        <span className="sr-only">Price level: </span>
        <span>{formatPriceLevel(priceLevel)}</span>
      </span>
    </div>
  );
}

interface FactProps {
  label: string;
  icon: ReactNode;
  className?: string;
  children: ReactNode;
}

function Fact({ label, icon, className, children }: FactProps) {
  return (
    <div className={clsx('flex min-w-0 items-start gap-2', className)}>
      <dt className="mt-0.5 shrink-0 text-muted [&>svg]:size-4">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

const STATUS_TONE: Record<string, Tone> = {
  OPERATIONAL: 'good',
  CLOSED_TEMPORARILY: 'warn',
  CLOSED_PERMANENTLY: 'danger',
};

/** "CLOSED TEMPORARILY", in orange. */
export const toStatusBadge = (businessStatus: string | null): { label: string; tone: Tone } => ({
  label: businessStatus?.replaceAll('_', ' ') || 'UNKNOWN',
  tone: STATUS_TONE[businessStatus ?? ''] ?? 'neutral',
});

/** As many dollar signs as the level, none for the lowest. */
export const formatPriceLevel = (level: number | null) => (level === null ? 'N/A' : '$'.repeat(level));

const formatDistance = (metres: number) => `${(metres / METRES_PER_MILE).toFixed(1)} miles away`;
