import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import type { Viewer } from '#contract/users/user.ts';
import { builtInViews } from '#contract/views/built-in-views.ts';
import { canChangeView, type SavedView, toScreen, type ViewScreen } from '#contract/views/view.ts';
import {
  changeView,
  countPinnedViews,
  createView,
  deleteView,
  listViews,
  restoreView,
  setViewPreferences,
} from '#contract/views/views.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { runOnUndo } from '#web/kit/undo.ts';

/** A view as its screen offers it, built in or saved. */
export interface View {
  id: string;
  name: string;
  settings: Record<string, string>;
  kind: 'built-in' | 'own' | 'shared';
  /** Whether the team sees it. */
  shared: boolean;
  /** Whether the viewer may rename, replace and delete it. */
  changeable: boolean;
  /** The name of its owner, where that is another user. */
  sharedBy: string | undefined;
}

export interface Views {
  all: View[];
  pinned: View[];
  defaultView: View | undefined;
}

/** The built-in views of the list, one's own and the shared ones of the screens. */
export function useViews(viewer: Viewer, screens: readonly ViewScreen[] = ['leads']) {
  return useQuery({
    ...read(listViews),
    staleTime: 60_000,
    ...refetchOnReturn,
    select: ({ views, pinned, defaultView }): Views => {
      const saved = views.filter(({ settings }) => screens.includes(toScreen(settings)));
      const builtIn = screens.includes('leads') ? builtInViews(viewer) : [];
      const all = [...builtIn.map((view) => ({ ...view, ...BUILT_IN })), ...saved.map((view) => toView(viewer, view))];
      const find = (id: string | null) => all.find((view) => view.id === id);
      return { all, pinned: pinned.flatMap((id) => find(id) ?? []), defaultView: find(defaultView) };
    },
  });
}

const BUILT_IN = { kind: 'built-in', shared: false, changeable: false, sharedBy: undefined } as const;

function toView(viewer: Viewer, view: SavedView): View {
  const { id, name, settings, shared, owner } = view;
  const own = owner?.id === viewer.id;
  const sharedBy = own ? undefined : owner?.fullName || 'a deleted user';
  return {
    id,
    name,
    settings,
    shared,
    kind: own ? 'own' : 'shared',
    changeable: canChangeView(viewer, view),
    sharedBy,
  };
}

/** How many leads the pinned views have. Refetched with every list of leads. */
export const useViewCounts = () => useQuery({ ...read(countPinnedViews), staleTime: 0, ...refetchOnReturn });

const refetchViews = (queries: QueryClient) => refetch(queries, listViews, countPinnedViews);

export function useCreateView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof createView>) => send(createView, { body }),
    onSuccess: () => refetchViews(queries),
    meta: { success: ({ name }: SavedView) => `View "${name}" saved`, errorTitle: 'Failed to save the view' },
  });
}

export function useChangeView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Body<typeof changeView>) =>
      send(changeView, { params: { viewId: id }, body }),
    onSuccess: () => refetchViews(queries),
    meta: { success: ({ name }: SavedView) => `View "${name}" updated`, errorTitle: 'Failed to update the view' },
  });
}

export function useDeleteView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (viewId: string) => send(deleteView, { params: { viewId } }),
    onSuccess: () => refetchViews(queries),
    meta: {
      success: ({ name }: SavedView) => `View "${name}" deleted`,
      undo: ({ id }: SavedView) => runOnUndo(queries, restoreMutation(queries), id),
      errorTitle: 'Failed to delete the view',
    },
  });
}

const restoreMutation = (queries: QueryClient) => ({
  mutationFn: (viewId: string) => send(restoreView, { params: { viewId } }),
  onSuccess: () => refetchViews(queries),
  meta: { success: ({ name }: SavedView) => `View "${name}" restored`, errorTitle: 'Failed to restore the view' },
});

const PREFERENCES = [setViewPreferences.path];

/** Pins, unpins and reorders views, and chooses the one that the list opens with. */
export function useViewPreferences({ pinned, defaultView }: Views) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationKey: PREFERENCES,
    // One after the other: the last click decides.
    scope: { id: setViewPreferences.path },
    mutationFn: (body: Body<typeof setViewPreferences>) => send(setViewPreferences, { body }),
    // At once, so that the next click starts from these, and no response from before overwrites them.
    onMutate: (body) => {
      void queries.cancelQueries({ queryKey: read(listViews).queryKey });
      queries.setQueryData(read(listViews).queryKey, (cached) => cached && { ...cached, ...body });
    },
    onSettled: () => (queries.isMutating({ mutationKey: PREFERENCES }) > 1 ? undefined : refetchViews(queries)),
    meta: { errorTitle: 'Failed to change the views' },
  });
  const pinnedIds = pinned.map(({ id }) => id);
  const defaultId = defaultView?.id ?? null;
  const setPinned = (next: string[]) => save.mutate({ pinned: next, defaultView: defaultId });
  return {
    busy: save.isPending,
    togglePinned: (id: string) =>
      setPinned(pinnedIds.includes(id) ? pinnedIds.filter((other) => other !== id) : [...pinnedIds, id]),
    /** Moves a pinned view towards the first (-1) or the last (1) tab. */
    movePinned: (id: string, step: 1 | -1) => setPinned(moveItem(pinnedIds, id, step)),
    setDefault: (id: string | null) => save.mutate({ pinned: pinnedIds, defaultView: id }),
  };
}

function moveItem(ids: string[], id: string, step: 1 | -1): string[] {
  const to = Math.max(0, ids.indexOf(id) + step);
  const rest = ids.filter((other) => other !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
