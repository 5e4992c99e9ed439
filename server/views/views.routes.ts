import { Refusal } from '#contract/errors.ts';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import { keepKnownConditions } from '#contract/leads/own-fields/own-filter.ts';
import { toViewerFilter } from '#contract/leads/viewer-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { builtInViews } from '#contract/views/built-in-views.ts';
import { canChangeView, canShareViews, MAX_VIEWS, type SavedView, toScreen } from '#contract/views/view.ts';
import * as calls from '#contract/views/views.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { serve } from '#server/kit/http/serve.ts';
import { countLists } from '#server/leads/list/lead-counts.sql.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import * as sql from './views.sql.ts';

export function viewRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, calls.listViews, async ({ viewer }) => {
    const views = await sql.listVisibleViews(db, viewer);
    return { views, ...(await visiblePreferences(db, viewer, views)) };
  });

  serve(app, guard, calls.createView, ({ viewer, body }) =>
    refuseDuplicateName(() =>
      db.transaction(async (tx) => {
        const view = body();
        if (view.shared) requireSharing(viewer);
        await requireRoom(tx, viewer);
        return requireVisible(tx, await sql.insertView(tx, { ...view, ownerId: viewer.id }));
      }),
    ),
  );

  serve(app, guard, calls.changeView, ({ viewer, params, body }) =>
    refuseDuplicateName(() =>
      db.transaction(async (tx) => {
        const view = await requireChangeable(tx, viewer, params.viewId, 'current');
        const changes = body();
        if (changes.shared && !view.shared) requireSharing(viewer);
        if (changes.shared === false && !view.owner)
          throw new Refusal('invalid_request', 'The owner of this view was deleted, so that it cannot become private');
        await sql.updateView(tx, view.id, changes);
        return requireVisible(tx, view.id);
      }),
    ),
  );

  serve(app, guard, calls.deleteView, ({ viewer, params, body }) =>
    db.transaction(async (tx) => {
      const view = await requireChangeable(tx, viewer, params.viewId, 'current');
      body();
      await sql.updateView(tx, view.id, { deletedAt: clock().toISOString() });
      return view;
    }),
  );

  serve(app, guard, calls.restoreView, ({ viewer, params, body }) =>
    refuseDuplicateName(() =>
      db.transaction(async (tx) => {
        const view = await requireChangeable(tx, viewer, params.viewId, 'deleted');
        body();
        if (view.owner?.id === viewer.id) await requireRoom(tx, viewer);
        await sql.updateView(tx, view.id, { deletedAt: null });
        return view;
      }),
    ),
  );

  serve(app, guard, calls.setViewPreferences, ({ viewer, body }) =>
    db.transaction(async (tx) => {
      const { pinned, defaultView } = body();
      await sql.setPreferences(tx, viewer.id, { pinned: [...new Set(pinned)], defaultView });
      return visiblePreferences(tx, viewer, await sql.listVisibleViews(tx, viewer));
    }),
  );

  serve(app, guard, calls.countPinnedViews, async ({ viewer }) => {
    const views = await sql.listVisibleViews(db, viewer);
    const { pinned } = await visiblePreferences(db, viewer, views);
    const known = new Map([...builtInViews(viewer), ...views].map(({ id, settings }) => [String(id), settings]));
    const lists = pinned.flatMap((id) => {
      const filter = toViewerFilter(viewer, known.get(id) ?? {});
      return filter ? [{ id, filter }] : [];
    });
    const filters = await withKnownConditions(
      db,
      lists.map(({ filter }) => filter),
    );
    const counts = await countLists(db, viewer, filters, { now: clock(), timeZone: env.timeZone });
    return lists.flatMap(({ id }, nth) => (counts[nth] ? [{ id, ...counts[nth] }] : []));
  });
}

/** The stored preferences without the views that the viewer no longer sees, and without those of the reports: both are of the list. */
async function visiblePreferences(db: Db, viewer: Viewer, views: SavedView[]) {
  const { pinned, defaultView } = await sql.findPreferences(db, viewer.id);
  const ofList = views.filter(({ settings }) => toScreen(settings) === 'leads');
  const visible = new Set<string>([...builtInViews(viewer), ...ofList].map(({ id }) => id));
  return {
    pinned: pinned.filter((id) => visible.has(id)),
    defaultView: defaultView && visible.has(defaultView) ? defaultView : null,
  };
}

/** As on the screen, a view is not filtered by a field that is gone. */
async function withKnownConditions(db: Db, filters: LeadFilter[]): Promise<LeadFilter[]> {
  if (!filters.some(({ own }) => own)) return filters;
  const fields = await listFields(db);
  return filters.map((filter) => ({ ...filter, own: filter.own && keepKnownConditions(filter.own, fields) }));
}

function requireSharing(viewer: Viewer) {
  if (!canShareViews(viewer)) throw new Refusal('forbidden', 'Only managers and admins can share views');
}

/** A private view of another user is as if it did not exist. */
async function requireChangeable(tx: Db, viewer: Viewer, viewId: string, which: 'current' | 'deleted') {
  const view = await sql.lockView(tx, viewId, which);
  if (!view || (!view.shared && view.owner?.id !== viewer.id))
    throw new Refusal('not_found', 'This view no longer exists');
  if (!canChangeView(viewer, view))
    throw new Refusal('forbidden', 'Only its owner and admins can change a shared view');
  return view;
}

async function requireVisible(tx: Db, viewId: string): Promise<SavedView> {
  const view = await sql.findView(tx, viewId);
  if (!view) throw new Refusal('not_found', 'This view no longer exists');
  return view;
}

async function requireRoom(tx: Db, viewer: Viewer) {
  if ((await sql.countOwnViews(tx, viewer.id)) >= MAX_VIEWS)
    throw new Refusal('too_many_views', `You can have ${MAX_VIEWS} views. Delete one to save another.`);
}

async function refuseDuplicateName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = classifyFault(error);
    if (fault.kind === 'unique' && fault.constraint === 'saved_views_name_key')
      throw new Refusal('duplicate_name', 'You already have a view with this name');
    throw error;
  }
}
