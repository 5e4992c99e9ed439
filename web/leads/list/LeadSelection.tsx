import { useState } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectionBar } from '#web/kit/ui/SelectionBar.tsx';
import { BulkActions } from './BulkActions.tsx';
import { type BulkLeads, countBulkLeads } from './bulk.data.ts';
import type { Offer } from './FollowUpOffer.tsx';
import { type ListState, toExportQuery, toSearch, withoutLayout } from './list-state.ts';

interface Props {
  state: ListState;
  viewer: Viewer;
  page: LeadPage | undefined;
  selection: Selection<number>;
  onOffer: (offer: Offer) => void;
  /** The selection is about to disappear, with the focused button. */
  onDone: () => void;
}

/** The selected leads and what can be done with them: those of the page, or all that match the filters. */
export function LeadSelection({ state, viewer, page, selection, onOffer, onDone }: Props) {
  const scope = toSearch(withoutLayout(state));
  const [all, setAll] = useState<{ scope: string; leads: BulkLeads }>();
  // The selection was cleared, or an action is done.
  if (all && selection.ids.size === 0) setAll(undefined);
  // Another filter or page, or a lead that is deselected, ends the selection of all.
  const matching = all?.scope === scope && selection.state === 'all' ? all.leads : undefined;
  const total = page?.total ?? 0;
  const offered = !matching && selection.state === 'all' && page !== undefined && total > page.items.length;
  const selectAll = () => setAll({ scope, leads: { filter: toExportQuery(state, viewer), count: total } });

  if (selection.ids.size === 0) return null;
  return (
    <SelectionBar
      count={matching ? countBulkLeads(matching) : selection.ids.size}
      onClear={() => {
        selection.clear();
        onDone();
      }}
    >
      {offered && !page.totalCapped && (
        <Button variant="link" size="sm" onClick={selectAll}>
          Select all {formatCount(total)} that match
        </Button>
      )}
      {offered && page.totalCapped && (
        <span className="px-2 text-sm text-muted">
          More than {formatCount(total)} match. Narrow the filters to select all.
        </span>
      )}
      <BulkActions
        selection={selection}
        matching={matching}
        items={page?.items ?? []}
        onOffer={onOffer}
        reassignOnly={state.team}
        onDone={onDone}
      />
    </SelectionBar>
  );
}
