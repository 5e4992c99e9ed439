/** Dates are en-US everywhere but in the search view, which writes them the British way. */
export type DateStyle = 'en-US' | 'en-GB';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: DateStyle, options: Intl.DateTimeFormatOptions) {
  const key = style + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(style, options);
  formats.set(key, known);
  return known;
}

/** "Mar 4, 2026", or "04/03/2026" in the search view, on the team's calendar. */
export function formatDate(moment: string, timeZone: string, style: DateStyle = 'en-US') {
  const options: Intl.DateTimeFormatOptions =
    style === 'en-GB' ? { day: '2-digit', month: '2-digit', year: 'numeric' } : { dateStyle: 'medium' };
  return format(style, { ...options, timeZone }).format(new Date(moment));
}

/** "Mar 4, 2026, 3:05 PM", on the team's clock. */
export const formatDateTime = (moment: string, timeZone: string) =>
  format('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(moment));

/** "1,234" */
export const formatCount = (count: number) => new Intl.NumberFormat('en-US').format(count);

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
