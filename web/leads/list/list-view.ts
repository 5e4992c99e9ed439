import { DEFAULT_STATE, type ListState, parseState, toSearch } from './list-state.ts';

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

/** Whether the list still shows the view as it is stored. */
export const isUnchanged = (state: ListState, view: Stored) => toViewSearch(state) === toViewSearch(toViewState(view));

/** Whether a link named the view and nothing else. */
export const namesViewOnly = (state: ListState) => state.saved !== '' && toViewSearch(state) === '';
