import type { Viewer } from '#contract/users/user.ts';
import { useListedUsers } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import { describeReportList, YOU } from './list-heading.ts';

/** What a list that a report opened shows, in a sentence; undefined for other lists. */
export function useListHeading(state: ListState, viewer: Viewer): string | undefined {
  const { outcomes } = useTeamSettings();
  const users = useListedUsers(viewer);
  const everyone = viewer.role === 'admin' || state.team;
  const user = users.find(({ id }) => id === state.user);
  const named = user ? user.fullName || user.username : state.user === 'all' ? undefined : `user ${state.user}`;
  return describeReportList(state, { outcomes, holder: everyone ? named : YOU });
}
