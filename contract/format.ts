// The specification has two styles of dates: en-US in the CRM and en-GB in the search results. Times have 24 hours.
// `timeZone` is the team's.

/** What formatting a value needs to know of the team. */
export interface TeamFormat {
  timeZone: string;
  /** ISO 4217. */
  currency: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes far longer than using it. */
function toFormat(locale: 'en-US' | 'en-GB', options: Intl.DateTimeFormatOptions) {
  const key = locale + JSON.stringify(options);
  const cached = formats.get(key) ?? new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options });
  formats.set(key, cached);
  return cached;
}

const formatUs = (at: string, options: Intl.DateTimeFormatOptions) => toFormat('en-US', options).format(new Date(at));

/** "Nov 18, 2026" */
export const formatDate = (at: string, timeZone: string) => formatUs(at, { dateStyle: 'medium', timeZone });

/** "18/11/2026", for the search results. */
export const formatSearchDate = (at: string, timeZone: string) =>
  toFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone }).format(new Date(at));

/** "15:05" */
export const formatTime = (at: string, timeZone: string) => formatUs(at, { timeStyle: 'short', timeZone });

/** "Nov 18, 2026, 15:05" */
export const formatDateTime = (at: string, timeZone: string) =>
  formatUs(at, { dateStyle: 'medium', timeStyle: 'short', timeZone });

/** "Nov 18, 2026, 15:05:09" */
export const formatDateTimeSeconds = (at: string, timeZone: string) =>
  formatUs(at, { dateStyle: 'medium', timeStyle: 'medium', timeZone });

/** "Wednesday, November 18, 2026" */
export const formatDay = (at: string, timeZone: string) => formatUs(at, { dateStyle: 'full', timeZone });

/** "Wed" */
export const formatWeekday = (at: string, timeZone: string) => formatUs(at, { weekday: 'short', timeZone });

/** "Nov 18" */
export const formatMonthDay = (at: string, timeZone: string) =>
  formatUs(at, { month: 'short', day: 'numeric', timeZone });

/** "GMT+1" */
export const formatZone = (at: string, timeZone: string) =>
  toFormat('en-US', { hour: 'numeric', timeZoneName: 'short', timeZone })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;

const counts = new Intl.NumberFormat('en-US');

/** "1,234" */
export const formatCount = (count: number) => counts.format(count);

/** "1 business", "1,234 businesses". The plural defaults to the singular with an s. */
export const formatCounted = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** "512 B", "1.4 MB", "23 GB", in powers of 1,000. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(Math.abs(bytes), 1)) / 3), BYTE_UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  const digits = power > 0 && Math.abs(value) < 10 ? 1 : 0;
  return `${formatCount(Number(value.toFixed(digits)))} ${BYTE_UNITS[power]}`;
}
