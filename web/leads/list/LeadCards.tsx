import type { LeadItem } from '#contract/leads/lead.ts';
import type { Selection } from '#web/kit/selection.ts';
import { LeadCard } from './LeadCard.tsx';

export interface LeadsProps {
  items: LeadItem[];
  selection: Selection<number>;
  /** The uuid of the lead that was last looked at, for as long as it is shown. */
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
