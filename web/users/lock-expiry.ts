import { useEffect, useState } from 'react';

interface Lockable {
  lockedUntil: string | null;
}

// The maximum of setTimeout; a longer wait takes several timers.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** When the next active lock expires, in milliseconds since 1970. */
export function nextLockExpiry(accounts: Lockable[], now: Date): number | undefined {
  const expiries = accounts
    .map(({ lockedUntil }) => (lockedUntil ? Date.parse(lockedUntil) : 0))
    .filter((expiry) => expiry > now.getTime());
  return expiries.length > 0 ? Math.min(...expiries) : undefined;
}

/** The current time, updated whenever a lock expires, so that no expired lock is shown. */
export function useTimeAtLockExpiry(accounts: Lockable[]): Date {
  const [now, setNow] = useState(() => new Date());
  const expiry = nextLockExpiry(accounts, now);

  // `now` is a dependency because a timer may fire early and must then be set again for the same expiry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (expiry === undefined) return;
    const timer = setTimeout(() => setNow(new Date()), Math.min(expiry - Date.now(), MAX_TIMEOUT_MS));
    return () => clearTimeout(timer);
  }, [expiry, now]);

  return now;
}
