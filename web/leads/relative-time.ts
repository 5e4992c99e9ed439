const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: { below: number; unit: Intl.RelativeTimeFormatUnit; length: number }[] = [
  { below: HOUR, unit: 'minute', length: MINUTE },
  { below: DAY, unit: 'hour', length: HOUR },
  { below: 30 * DAY, unit: 'day', length: DAY },
  { below: 365 * DAY, unit: 'month', length: 30.44 * DAY },
];
const YEAR = { unit: 'year' as const, length: 365.25 * DAY };

const formatter = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** "5 minutes ago", "3 days ago", "2 years ago". */
export function formatRelativeTime(moment: string, now: Date): string {
  // The server's clock may be ahead of this one.
  const elapsed = Math.max(0, now.getTime() - Date.parse(moment));
  if (elapsed < MINUTE) return 'just now';
  const { unit, length } = UNITS.find(({ below }) => elapsed < below) ?? YEAR;
  return formatter.format(-Math.max(1, Math.floor(elapsed / length)), unit);
}
