import { useState } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectionBar } from '#web/kit/ui/SelectionBar.tsx';
import { BulkActions } from './BulkActions.tsx';
import { BulkProgress } from './BulkProgress.tsx';
import { useMatchingIds } from './bulk.data.ts';
import type { Offer } from './FollowUpOffer.tsx';
import { type ListState, toSearch, withoutLayout } from './list-state.ts';

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
  const matching = useMatchingIds(state, viewer);
  const scope = toSearch(withoutLayout(state));
  const [all, setAll] = useState<{ scope: string; ids: number[] }>();
  // The selection was cleared, or an action is done.
  if (all && selection.ids.size === 0) setAll(undefined);
  // Another filter or page, or a lead that is deselected, ends the selection of all.
  const matchingIds = all?.scope === scope && selection.state === 'all' ? all.ids : undefined;
  const total = page?.total ?? 0;
  const offered = !matchingIds && selection.state === 'all' && page !== undefined && total > page.items.length;

  return (
    <BulkProgress>
      {selection.ids.size > 0 && (
        <SelectionBar
          count={matchingIds?.length ?? selection.ids.size}
          onClear={() => {
            selection.clear();
            onDone();
          }}
        >
          {offered && (
            <Button
              variant="link"
              size="sm"
              busy={matching.isPending}
              onClick={() => matching.mutate(undefined, { onSuccess: ({ ids }) => setAll({ scope, ids }) })}
            >
              {page.totalCapped
                ? `Select the first ${formatCount(total)} that match`
                : `Select all ${formatCount(total)} that match`}
            </Button>
          )}
          <BulkActions
            selection={selection}
            matchingIds={matchingIds}
            items={page?.items ?? []}
            onOffer={onOffer}
            reassignOnly={state.team}
            onDone={onDone}
          />
        </SelectionBar>
      )}
    </BulkProgress>
  );
}
