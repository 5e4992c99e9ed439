import type { Viewer } from '#contract/users/user.ts';
import { useListedUsers } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { describeReportList, YOU } from './list-heading.ts';
import { useFilterWords } from './use-filter-words.ts';

/** What a list that a report opened shows, in a sentence; undefined for other lists. */
export function useListHeading(state: ListState, viewer: Viewer): string | undefined {
  const words = useFilterWords();
  const users = useListedUsers(viewer);
  const everyone = viewer.role === 'admin' || state.team;
  const user = users.find(({ id }) => id === state.user);
  const named = user ? user.fullName || user.username : state.user === 'all' ? undefined : `user ${state.user}`;
  return describeReportList(state, { ...words, holder: everyone ? named : YOU });
}
