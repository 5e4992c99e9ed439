import { useEffect, useMemo, useState } from 'react';
import type { Viewer } from '#contract/users/user.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/navigation/url-state.ts';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import {
  applyChange,
  DEFAULT_STATE,
  type ListState,
  listParams,
  parseState,
  restrictToViewer,
  toSearch,
} from './list-state.ts';

const STORAGE_KEY = 'list';

export type ChangeList = (change: Partial<ListState>, options?: ChangeOptions) => void;

/** The state of the list: from the URL, else as this user left it, else the default. */
export function useListState(viewer: Viewer) {
  const userId = viewer.id;
  // Before the effect below stores the state.
  const [isFirstVisit] = useState(() => !parseState(window.location.search) && !readStored(userId));
  const schema = useMemo(() => listParams.transform((state) => restrictToViewer(viewer, state)), [viewer]);
  const [state, change] = useUrlState<ListState>(schema, DEFAULT_STATE, {
    initial: () => restrictToViewer(viewer, readStored(userId) ?? DEFAULT_STATE),
  });

  useEffect(() => setUserItem(userId, STORAGE_KEY, toSearch(withoutVisit(state))), [state, userId]);

  const changeList: ChangeList = (changed, options) =>
    change((current) => restrictToViewer(viewer, applyChange(current, changed)), options);
  return [state, changeList, isFirstVisit] as const;
}

/** The leads of a notification, of a change, of a report or of the team are looked at once: the next visit shows the user's own list. */
function withoutVisit(state: ListState): ListState {
  const ofFigure = state.step !== '' || state.statusOn !== '';
  const seenOnce = state.changes !== '' || ofFigure;
  const { hideClosed, existing } = state.attention === 'all' && !seenOnce ? state : DEFAULT_STATE;
  const { archived } = seenOnce ? DEFAULT_STATE : state;
  const { assignedFrom, assignedTo, origin, hasType, hasDistrict, hasTag, own } = ofFigure ? DEFAULT_STATE : state;
  const ofReport = { assignedFrom, assignedTo, origin, hasType, hasDistrict, hasTag, own };
  const user = state.team ? DEFAULT_STATE.user : state.user;
  const { notification, changes, attention, team, step, outcome, statusOn } = DEFAULT_STATE;
  const visit = { notification, changes, attention, team, step, outcome, statusOn };
  return { ...state, ...visit, user, hideClosed, archived, existing, ...ofReport };
}

function readStored(userId: number) {
  const stored = getUserItem(userId, STORAGE_KEY);
  return typeof stored === 'string' ? (parseState(stored) ?? DEFAULT_STATE) : undefined;
}
