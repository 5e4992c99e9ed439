import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { read } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';

export const useSettings = () => useQuery(read(getSettings));

/** The team's time zone: undefined while it is loading, the browser's where it could not be loaded. */
export function useTimeZone(): string | undefined {
  const { data, isPending } = useSettings();
  if (isPending) return undefined;
  return data?.timeZone ?? browserTimeZone();
}
