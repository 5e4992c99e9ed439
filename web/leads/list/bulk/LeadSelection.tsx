import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectionBar } from '#web/kit/ui/tables/SelectionBar.tsx';
import { type ListState, toExportQuery } from '#web/leads/list/list-state.ts';
import { BulkActions } from './BulkActions.tsx';
import type { Offer } from './FollowUpOffer.tsx';
import type { LeadSelection as Selection } from './use-lead-selection.ts';

interface Props {
  state: ListState;
  viewer: Viewer;
  page: LeadPage | undefined;
  selection: Selection;
  onOffer: (offer: Offer) => void;
  /** The selection is about to disappear, with the focused button. */
  onDone: () => void;
}

/** The selected leads and what can be done with them: those of the page, or all that match the filters. */
export function LeadSelection({ state, viewer, page, selection, onOffer, onDone }: Props) {
  const total = page?.total ?? 0;
  const filter = { ...toExportQuery(state, viewer), similar: page?.similar || undefined };
  const matching = selection.allMatching ? { filter, count: total } : undefined;
  const offered = !matching && selection.state === 'all' && page !== undefined && total > page.items.length;

  if (!matching && selection.ids.size === 0) return null;
  return (
    <SelectionBar
      count={matching?.count ?? selection.ids.size}
      onClear={() => {
        selection.clear();
        onDone();
      }}
    >
      {offered && !page.totalCapped && (
        <Button variant="link" size="sm" onClick={selection.selectAllMatching}>
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
