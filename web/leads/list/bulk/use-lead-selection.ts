import { useState } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { type Selection, useSelection } from '#web/kit/selection.ts';
import { tryStorage } from '#web/kit/storage/storage.ts';
import { DEFAULT_STATE, type ListState, toSearch, withoutLayout } from '#web/leads/list/list-state.ts';

export interface LeadSelection extends Selection<number> {
  /** All leads that match the filters are selected, on every page. Only the user ends that. */
  allMatching: boolean;
  selectAllMatching: () => void;
}

/** The selected leads of the page, or all that match the filters. Both survive a visit to another screen. */
export function useLeadSelection(state: ListState, userId: number, page: LeadPage | undefined): LeadSelection {
  const scope = toSearch(withoutLayout(state));
  const filters = toSearch({ ...withoutLayout(state), page: 1, pageSize: DEFAULT_STATE.pageSize });
  const ids = page?.items.map(({ userBusiness }) => userBusiness.id);
  const selection = useSelection(scope, ids, `leads.${userId}`);
  const storageKey = `highstreet.selection.leads.${userId}.matching`;
  const [matching, setMatching] = useState(() => tryStorage(() => sessionStorage.getItem(storageKey)) ?? undefined);
  const select = (next: string | undefined) => {
    setMatching(next);
    tryStorage(() =>
      next === undefined ? sessionStorage.removeItem(storageKey) : sessionStorage.setItem(storageKey, next),
    );
  };
  // Other filters are another selection, also after they are taken back.
  if (matching !== undefined && matching !== filters) select(undefined);

  const selectAllMatching = () => select(filters);
  if (matching !== filters) return { ...selection, allMatching: false, selectAllMatching };
  const choose = (rows: readonly number[]) => {
    select(undefined);
    selection.replace(rows);
  };
  return {
    ids: new Set(ids),
    state: 'all',
    allMatching: true,
    selectAllMatching,
    toggle: (id) => choose(ids?.filter((other) => other !== id) ?? []),
    add: () => {},
    replace: choose,
    toggleAll: () => choose([]),
    clear: () => choose([]),
  };
}
