import { useEffect, useState } from 'react';

interface Account {
  lockedUntil: string | null;
}

// What setTimeout can count to; a longer wait is taken in several steps.
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** When the next of the locks that still hold runs out, in milliseconds since 1970. */
export function nextLockEnd(accounts: Account[], now: Date): number | undefined {
  const ends = accounts
    .map(({ lockedUntil }) => (lockedUntil ? Date.parse(lockedUntil) : 0))
    .filter((end) => end > now.getTime());
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** The time, which moves on whenever a lock runs out: nothing is called locked that no longer is. */
export function useLockClock(accounts: Account[]): Date {
  const [now, setNow] = useState(() => new Date());
  const end = nextLockEnd(accounts, now);

  // `now` is among them because a timer may ring early, and has to be set again for the same end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (end === undefined) return;
    const timer = setTimeout(() => setNow(new Date()), Math.min(end - Date.now(), LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [end, now]);

  return now;
}
