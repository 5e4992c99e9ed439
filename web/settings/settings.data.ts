import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import { canAddLeads } from '#contract/leads/adding/adding-policy.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS, type TeamSettings } from '#contract/settings/team-settings.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { read, send } from '#web/kit/api.ts';

/** The team's settings, and who changed them. A live event refetches them. */
export const useTeamSettingsQuery = () => useQuery(read(getTeamSettings));

/** The team's settings; the defaults for as long as they are not loaded. */
export const useTeamSettings = (): TeamSettings => useTeamSettingsQuery().data?.settings ?? DEFAULT_TEAM_SETTINGS;

/** Whether the viewer may add businesses and take leads. */
export const useMayAddLeads = () => canAddLeads(useViewer(), useTeamSettings().addingLeads);

export function useChangeTeamSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof changeTeamSettings>) => send(changeTeamSettings, { body }),
    onSuccess: (changed) => queries.setQueryData(read(getTeamSettings).queryKey, changed),
    meta: { success: 'Settings saved', errorTitle: 'Failed to save settings' },
  });
}

/** Ticks or dismisses the checklist of a new team; the checklist itself shows that. Nobody asked for what ticks itself: its failure is quiet. */
export function useChangeFirstSteps({ quiet = false } = {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (firstSteps: TeamSettings['firstSteps']) => send(changeTeamSettings, { body: { firstSteps } }),
    onSuccess: (changed) => queries.setQueryData(read(getTeamSettings).queryKey, changed),
    meta: { errorTitle: quiet ? null : 'Failed to save the first steps' },
  });
}
