import type { Viewer } from '#contract/users/user.ts';
import { useUsers } from '#web/users/users.data.ts';
import { useAssignees } from './leads.data.ts';

/** The users whose leads a manager or an admin may look at. */
export function usePeople({ role }: Viewer) {
  const accounts = useUsers({ enabled: role === 'admin' });
  const members = useAssignees({ enabled: role === 'manager' });
  return {
    people: accounts.data ?? members.data ?? [],
    failed: [accounts, members].find(({ isLoadingError }) => isLoadingError),
  };
}
