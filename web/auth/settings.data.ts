import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { read } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';

export const useSettings = () => useQuery(read(getSettings));

/** The team's time zone: undefined while it is loading, the browser's where it could not be loaded. */
export function useTimeZone(): string | undefined {
  const { data, isPending, errorUpdateCount } = useSettings();
  // After a failure it is pending again with each retry, for which a screen must not disappear.
  if (isPending && errorUpdateCount === 0) return undefined;
  return data?.timeZone ?? browserTimeZone();
}
