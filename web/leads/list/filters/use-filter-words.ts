import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { useListedUsers } from '#web/leads/list/list.data.ts';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import type { FilterWords } from './more-filters.ts';

/** What the words of filters depend on, as far as it is loaded. */
export function useFilterWords(): FilterWords {
  const { outcomes } = useTeamSettings();
  const fields = useOwnFields();
  const { data: team } = useSettings();
  const users = useListedUsers(useViewer());
  return { outcomes, fields, team, users };
}
