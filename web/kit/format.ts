/** Dates are en-US everywhere except in the search view, where they are en-GB. */
export type DateStyle = 'en-US' | 'en-GB';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: DateStyle, options: Intl.DateTimeFormatOptions) {
  const key = style + JSON.stringify(options);
  const cached = formats.get(key) ?? new Intl.DateTimeFormat(style, options);
  formats.set(key, cached);
  return cached;
}

/** "Mar 4, 2026", or "04/03/2026" in the search view, in the team's time zone. */
export function formatDate(moment: string, timeZone: string, style: DateStyle = 'en-US') {
  const options: Intl.DateTimeFormatOptions =
    style === 'en-GB' ? { day: '2-digit', month: '2-digit', year: 'numeric' } : { dateStyle: 'medium' };
  return format(style, { ...options, timeZone }).format(new Date(moment));
}

/** "Mar 4, 2026, 3:05 PM", in the team's time zone. */
export const formatDateTime = (moment: string, timeZone: string) =>
  format('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(moment));

/** "Mar 4, 2026, 3:05:09 PM", in the team's time zone. */
export const formatDateTimeSeconds = (moment: string, timeZone: string) =>
  format('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(moment));

/** "Wednesday, March 4, 2026", in the team's time zone. */
export const formatDay = (moment: string, timeZone: string) =>
  format('en-US', { dateStyle: 'full', timeZone }).format(new Date(moment));

/** "3:05 PM", in the team's time zone. */
export const formatTime = (moment: string, timeZone: string) =>
  format('en-US', { timeStyle: 'short', timeZone }).format(new Date(moment));

const counts = new Intl.NumberFormat('en-US');

/** "1,234" */
export const formatCount = (count: number) => counts.format(count);

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
