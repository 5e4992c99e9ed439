import { useQuery } from '@tanstack/react-query';
import { getSso } from '#contract/auth/auth.calls.ts';
import { read } from '#web/kit/api.ts';

const NONE = { name: null, only: false };

/** Undefined while loading. Where it cannot be loaded, there is the password. */
export function useSso() {
  // After a failure it is pending again with each retry.
  const { data, errorUpdateCount, failureCount } = useQuery(read(getSso));
  return data ?? (errorUpdateCount + failureCount ? NONE : undefined);
}
