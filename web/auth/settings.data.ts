import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { read } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';

export const useSettings = () => useQuery(read(getSettings));

/** The time zone of the team's days: undefined while it is being read, this browser's own should that fail. */
export function useTimeZone(): string | undefined {
  const { data, isPending } = useSettings();
  if (isPending) return undefined;
  return data?.timeZone ?? browserTimeZone();
}
