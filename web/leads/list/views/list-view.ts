import type { Viewer } from '#contract/users/user.ts';
import { DEFAULT_STATE, type ListState, parseState, restrictToViewer, toSearch } from '#web/leads/list/list-state.ts';

// A view is the state of the list without what is looked at once.

const TRANSIENT = { saved: '', page: 1, notification: 0, changes: '' };

const toViewSearch = (state: ListState) => toSearch({ ...state, ...TRANSIENT });

/** What a view stores: the parameters of the list's URL. */
export const toSettings = (state: ListState): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(toViewSearch(state)));

interface Stored {
  id: string;
  settings: Record<string, string>;
}

/** The state of the list that opening a view leads to. */
export function toViewState({ id, settings }: Stored): ListState {
  const search = new URLSearchParams({ ...settings, saved: id }).toString();
  return { ...DEFAULT_STATE, ...parseState(search), ...TRANSIENT, saved: id };
}

export const toViewPath = (view: Stored) => `/crm?${toSearch(toViewState(view))}`;

/** Whether the list still shows the view as it is stored, as far as the viewer can see it. */
export const isUnchanged = (state: ListState, view: Stored, viewer: Viewer) =>
  toViewSearch(state) === toViewSearch(restrictToViewer(viewer, toViewState(view)));

/** What an update of a view stores. Admins list all leads anyway; the list of the team stays one for managers. */
export const toUpdatedSettings = (state: ListState, { settings }: Stored, viewer: Viewer) =>
  toSettings(viewer.role === 'admin' && settings.team === 'true' ? { ...state, team: true } : state);

/** Whether a view has no setting of its own. */
export const isDefaultList = (view: Stored) => namesViewOnly(toViewState(view));

/** Whether the list is the default one, under the name of a view: a link named the view and nothing else. */
export const namesViewOnly = (state: ListState) => state.saved !== '' && toViewSearch(state) === '';
