import { useEffect, useEffectEvent } from 'react';
import { toast } from '#web/kit/toasts.ts';
import { applyChange, type ListState, toSearch } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import type { View, Views } from '#web/views/views.data.ts';
import { isDefaultList, namesViewOnly, toViewState } from './list-view.ts';

interface Options {
  views: Views | undefined;
  state: ListState;
  change: ChangeList;
  /** Neither the URL nor the storage had a state. */
  isFirstVisit: boolean;
}

/**
 * The view that the list shows, and how the list is changed in it. Opens the view that a link names, and on the first
 * visit the user's default view.
 */
export function useSavedView({ views, state, change, isFirstVisit }: Options): [View | undefined, ChangeList] {
  const current = views?.all.find(({ id }) => id === state.saved);

  const openNamed = useEffectEvent(() => {
    if (!views || !namesViewOnly(state)) return;
    change(current ? toViewState(current) : { saved: '' }, { replace: true });
    if (!current)
      toast({ title: 'View not found', description: 'It was deleted or is not shared with you.', tone: 'destructive' });
  });
  const openDefault = useEffectEvent(() => {
    // Not after the user has changed the list while the views were loading.
    const untouched = toSearch(state) === '';
    if (isFirstVisit && views?.defaultView && untouched) change(toViewState(views.defaultView), { replace: true });
  });
  const loaded = views !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for another view
  useEffect(() => openNamed(), [loaded, state.saved]);
  useEffect(() => {
    if (loaded) openDefault();
  }, [loaded]);

  // A view without what it had is the default list. With its id in the URL, a reload would bring the rest back.
  const changeInView: ChangeList = (changed, options) => {
    const emptied = current && !isDefaultList(current) && namesViewOnly(applyChange(state, changed));
    change(emptied && !changed.saved ? { ...changed, saved: '' } : changed, options);
  };
  return [current, changeInView];
}
