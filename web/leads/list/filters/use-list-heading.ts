import type { Viewer } from '#contract/users/user.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { describeReportList } from './list-heading.ts';
import { useFilterWords } from './use-filter-words.ts';

/** What a list that a report opened shows, in a sentence; undefined for other lists. */
export function useListHeading(state: ListState, viewer: Viewer): string | undefined {
  const words = useFilterWords();
  return describeReportList(state, { ...words, listsEveryone: viewer.role === 'admin' || state.team });
}
