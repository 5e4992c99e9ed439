import { z } from 'zod';
import { call } from '../call.ts';
import { MAX_PINNED, savedView, viewId, viewName, viewSettings } from './view.ts';

const preferences = {
  /** In the order of their tabs. */
  pinned: z.array(viewId).max(MAX_PINNED, `At most ${MAX_PINNED} views can be pinned`),
  /** The view that the list opens with after signing in. */
  defaultView: viewId.nullable(),
};
const params = z.object({ viewId: z.uuid() });

export const listViews = call({
  method: 'GET',
  path: '/api/views',
  access: 'user',
  summary: "One's own saved views and those that are shared, and which are pinned.",
  response: z.strictObject({ views: z.array(savedView), ...preferences }),
  programs: 'unfenced',
});

export const createView = call({
  method: 'POST',
  path: '/api/views',
  access: 'user',
  summary: 'Saves the state of a list or of the reports under a name; only managers and admins can share it.',
  body: z.object({ name: viewName, shared: z.boolean().default(false), settings: viewSettings }),
  response: savedView,
  success: 201,
});

export const changeView = call({
  method: 'PATCH',
  path: '/api/views/:viewId',
  access: 'user',
  summary: 'Renames, shares or replaces a saved view; what is not sent stays.',
  params,
  body: z.object({
    name: viewName.optional(),
    shared: z.boolean().optional(),
    settings: viewSettings.optional(),
  }),
  response: savedView,
});

export const deleteView = call({
  method: 'DELETE',
  path: '/api/views/:viewId',
  access: 'user',
  summary: 'Deletes a saved view; it can be restored for 30 days.',
  params,
  response: savedView,
});

export const restoreView = call({
  method: 'POST',
  path: '/api/views/:viewId/restore',
  access: 'user',
  summary: 'Restores a deleted view.',
  params,
  response: savedView,
});

export const setViewPreferences = call({
  method: 'PUT',
  path: '/api/view-preferences',
  access: 'user',
  summary: 'Sets which views are pinned, in which order, and which one the list opens with.',
  body: z.object(preferences),
  response: z.strictObject(preferences),
});

export const countPinnedViews = call({
  method: 'GET',
  path: '/api/leads/view-counts',
  access: 'user',
  summary: 'How many leads each pinned view shows to the viewer, counted up to 10,000.',
  response: z.array(z.strictObject({ id: viewId, total: z.number(), totalCapped: z.boolean() })),
  showsLeads: 'list',
});
