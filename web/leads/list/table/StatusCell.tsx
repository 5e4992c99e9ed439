import { ChevronDown } from 'lucide-react';
import type { LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { StatusMenu } from '#web/leads/list/StatusMenu.tsx';
import { useSaveCell } from './grid.data.ts';

interface Props {
  item: ListedLead;
  /** What it can be changed to; none where the viewer may not change it. */
  statuses: LeadStatus[];
  /** The id of the element with the name of the business. */
  describedBy: string;
}

/** The status of a lead in a table, which a menu changes in place. */
export function StatusCell({ item, statuses, describedBy }: Props) {
  const save = useSaveCell();
  const { status } = item.userBusiness;
  if (!statuses.length) return <StatusBadge status={status} />;
  return (
    <StatusMenu
      label="Change status to"
      statuses={statuses.filter((other) => other !== status)}
      onSelect={(value) => save.mutate({ item, column: 'status', value })}
      button={
        <button
          type="button"
          aria-describedby={describedBy}
          aria-busy={save.isPending}
          title="Change status"
          className="hit-area -mx-1 inline-flex min-h-9 items-center gap-1 rounded-md px-1 hover:bg-sunken"
        >
          <StatusBadge status={status} />
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </button>
      }
    />
  );
}
