const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: [most: number, unit: Intl.RelativeTimeFormatUnit, length: number][] = [
  [HOUR, 'minute', MINUTE],
  [DAY, 'hour', HOUR],
  [30 * DAY, 'day', DAY],
  [365 * DAY, 'month', 30.44 * DAY],
  [Number.POSITIVE_INFINITY, 'year', 365.25 * DAY],
];

const words = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** "5 minutes ago", "3 days ago", "2 years ago". */
export function relativeTime(moment: string, now: Date): string {
  // The server's clock may be a little ahead of this one's.
  const passed = Math.max(0, now.getTime() - Date.parse(moment));
  if (passed < MINUTE) return 'just now';
  const [, unit, length] = STEPS.find(([most]) => passed < most) ?? (STEPS[4] as (typeof STEPS)[number]);
  return words.format(-Math.max(1, Math.floor(passed / length)), unit);
}
