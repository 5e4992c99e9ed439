const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After each failure but the last, in seconds: those of Standard Webhooks. The first attempt is made at once. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
export const MAX_ATTEMPTS = DELAYS.length + 1;
const JITTER = 0.2;
const MAX_RETRY_AFTER = 24 * HOUR;

/** In how many seconds the next attempt is made; undefined after the last. */
export function toDelay(attempts: number, random = Math.random()): number | undefined {
  const delay = attempts < MAX_ATTEMPTS ? DELAYS[Math.max(attempts, 1) - 1] : undefined;
  return delay && delay * (1 + JITTER * random);
}

/** For how many seconds a receiver asks to be left alone, a day at most: a number, or a date. 0 where it does not. */
export function readRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), MAX_RETRY_AFTER) : 0;
}
