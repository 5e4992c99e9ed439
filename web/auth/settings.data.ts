import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeStart, getSettings, type StartScreen } from '#contract/auth/settings.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';

export const useSettings = () => useQuery(read(getSettings));

/** The team's time zone: undefined while it is loading, the browser's where it could not be loaded. */
export function useTimeZone(): string | undefined {
  const { data, isPending, errorUpdateCount } = useSettings();
  // After a failure it is pending again with each retry, for which a screen must not disappear.
  if (isPending && errorUpdateCount === 0) return undefined;
  return data?.timeZone ?? browserTimeZone();
}

export function useChangeStart() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (startAt: StartScreen | null) => send(changeStart, { body: { startAt } }),
    onSuccess: ({ startAt }) =>
      queries.setQueryData(read(getSettings).queryKey, (settings) => settings && { ...settings, startAt }),
    meta: { success: 'Start screen saved', errorTitle: 'Failed to save the start screen' },
  });
}
