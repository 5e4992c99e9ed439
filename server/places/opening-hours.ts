const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const RULE = /^(?:((?:Mo|Tu|We|Th|Fr|Sa|Su)(?:\s*[-,]\s*(?:Mo|Tu|We|Th|Fr|Sa|Su))*)\s*)?(off|closed|\d{1,2}:\d{2}.*)$/;
const SPAN = /^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})$/;
const DAY_MINUTES = 1_440;

type Span = [from: number, to: number];

export type IsOpen = (hours: string | null) => boolean | null;

/**
 * Whether a place is open at a moment, by hours in OpenStreetMap's notation: days, spans, "off" and 24/7. Null for other
 * rules (months, weeks, sunrise). Public holidays count as the weekday they fall on.
 */
export function openingHoursAt(moment: Date, timeZone: string): IsOpen {
  const { day, minute } = toLocalTime(moment, timeZone);
  const within = (spans: Span[], at: number) => spans.some(([from, to]) => from <= at && at < to);
  return (hours) => {
    const week = hours === null ? null : parseWeek(hours.trim().slice(0, 255));
    if (!week) return null;
    // A span past midnight belongs to the day it began on.
    return within(week[day] ?? [], minute) || within(week[(day + 6) % 7] ?? [], minute + DAY_MINUTES);
  };
}

function parseWeek(hours: string): Span[][] | null {
  const week: Span[][] = DAYS.map(() => []);
  if (hours === '24/7') return week.map(() => [[0, DAY_MINUTES]]);
  for (const rule of hours.split(';').map((part) => part.trim())) {
    if (!rule || /^PH\b/.test(rule)) continue;
    const [, days, times = ''] = RULE.exec(rule.replace(/\s*,\s*PH\b/g, '')) ?? [];
    const spans = parseSpans(times);
    if (!spans) return null;
    for (const day of parseDays(days)) week[day] = spans;
  }
  return hours ? week : null;
}

function parseSpans(times: string): Span[] | null {
  if (times === 'off' || times === 'closed') return [];
  const spans: Span[] = [];
  for (const part of times.split(',')) {
    const [, fromHour, fromMinute, toHour, toMinute] = SPAN.exec(part.trim()) ?? [];
    if (toMinute === undefined) return null;
    const from = Number(fromHour) * 60 + Number(fromMinute);
    const to = Number(toHour) * 60 + Number(toMinute);
    spans.push([from, to <= from ? to + DAY_MINUTES : to]);
  }
  return spans;
}

function parseDays(days: string | undefined): number[] {
  if (!days) return DAYS.map((_, day) => day);
  return days.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-').map((day) => day.trim());
    const from = DAYS.indexOf(first);
    const count = ((DAYS.indexOf(last) - from + 7) % 7) + 1;
    return Array.from({ length: count }, (_, step) => (from + step) % 7);
  });
}

function toLocalTime(now: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf((parts.weekday ?? '').slice(0, 2)),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}
