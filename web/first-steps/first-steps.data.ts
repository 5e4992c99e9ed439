import { useEffect, useRef } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { useChangeFirstSteps, useTeamSettingsQuery } from '#web/settings/settings.data.ts';

/** Ticks its step of the checklist when an administrator looks at Today, however they came there. */
export function useTickToday() {
  const { role } = useViewer();
  const steps = useTeamSettingsQuery().data?.settings.firstSteps;
  const { mutate } = useChangeFirstSteps({ quiet: true });
  // Once a visit: a failure is not repeated.
  const ticked = useRef(false);
  useEffect(() => {
    if (role !== 'admin' || !steps || steps.today || steps.dismissed || ticked.current) return;
    ticked.current = true;
    mutate({ ...steps, today: true });
  }, [role, steps, mutate]);
}
