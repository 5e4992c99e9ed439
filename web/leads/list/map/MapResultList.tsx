import { MapPin } from 'lucide-react';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import type { LeadPosition } from './LeadMap.tsx';
import type { Pins } from './pins.ts';

interface Props {
  items: ListedLead[];
  toPin: Pins['toPin'];
  onShow: (point: LeadPosition) => void;
}

/** The leads of this page as a list, from which keyboard and screen reader users open the popups of the map. */
export function MapResultList({ items, toPin, onShow }: Props) {
  return (
    <section aria-label="Businesses on this page" className="flex min-h-0 flex-col gap-2 lg:h-0 lg:min-h-full">
      <h2 className="text-sm font-semibold">Businesses on this page</h2>
      <ul className="flex flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
        {items.map((item) => (
          <li key={item.userBusiness.id} className="flex items-center justify-between gap-3 px-3 py-1 text-sm">
            <ResultName item={item} toPin={toPin} onShow={onShow} />
            <span className="shrink-0 whitespace-nowrap">
              <StatusBadge status={item.userBusiness.status} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ResultName({
  item: { business, userBusiness, match },
  toPin,
  onShow,
}: Pick<Props, 'toPin' | 'onShow'> & { item: ListedLead }) {
  const { name, latitude, longitude } = business;
  if (latitude === null || longitude === null) {
    return (
      <span className="min-w-0 py-2 text-muted [overflow-wrap:anywhere]">
        {name} <span className="text-xs">(no location)</span>
        <WhyFound match={match} />
      </span>
    );
  }
  return (
    <button
      type="button"
      onClick={() => onShow({ id: userBusiness.id, latitude, longitude })}
      className="flex min-h-11 min-w-0 flex-1 sm:min-h-9 items-center gap-2 text-left font-medium hover:underline"
    >
      <MapPin
        aria-hidden="true"
        className="size-4 shrink-0"
        style={{ color: toPin({ status: userBusiness.status, type: business.type }).colour }}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="sr-only">Show on the map:</span> {name}
        <WhyFound match={match} className="font-normal" />
      </span>
    </button>
  );
}
