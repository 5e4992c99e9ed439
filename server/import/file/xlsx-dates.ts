/** A part of a date format: text as it is, or a letter of the code that is repeated, such as "yyyy". */
type DatePart = { text: string } | UnitPart;
type UnitPart = { unit: Unit; length: number };
type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half' | `elapsed-${'h' | 'm' | 's'}`;
export type DateFormat = DatePart[];

/** The formats of Excel that have no code in the file; 14 and 22 follow the region, which is the team's: the UK. */
const BUILT_IN: Record<number, string> = {
  ...{ 14: 'dd/mm/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'hh:mm', 21: 'hh:mm:ss', 22: 'dd/mm/yyyy hh:mm' },
  ...{ 32: 'hh:mm', 33: 'hh:mm:ss', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0' },
};
const EAST_ASIAN = [27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58];
for (const id of EAST_ASIAN) BUILT_IN[id] = 'yyyy-mm-dd';

/** Formats that follow the settings of the system, whatever their code says. */
const OF_THE_SYSTEM: [RegExp, string][] = [
  [/^\[\$-x?F800\]/i, 'dd mmmm yyyy'],
  [/^\[\$-x?F400\]/i, 'hh:mm:ss'],
];

const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[(h+|m+|s+)\]|\[[^\]]*\]|AM\/PM|A\/P|y+|m+|d+|h+|s+(?:\.(0+))?|([\s\S])/giy;
const UNITS: Record<string, Unit> = { y: 'year', d: 'day', h: 'hour', s: 'second' };

/** The parts of a format such as "dd/mm/yyyy"; undefined if it shows no date or time. */
export function parseDateFormat(id: number, code: string | undefined): DateFormat | undefined {
  const own = code ?? BUILT_IN[id];
  if (own === undefined) return undefined;
  const [, shown = own] = OF_THE_SYSTEM.find(([pattern]) => pattern.test(own)) ?? [];
  const parts = parseTokens(shown);
  return parts.some((part) => 'unit' in part) ? parts : undefined;
}

function parseTokens(code: string): DateFormat {
  const parts: DateFormat = [];
  for (const [token, quoted, escaped, elapsed, fraction, other] of code.matchAll(TOKEN)) {
    if (other === ';') break; // the format of negative numbers
    const letter = token.charAt(0).toLowerCase();
    if (elapsed) {
      const unit = elapsed.charAt(0).toLowerCase() as 'h' | 'm' | 's';
      parts.push({ unit: `elapsed-${unit}`, length: elapsed.length });
    } else if (/^a/i.test(token) && !other) parts.push({ unit: 'half', length: token.length });
    else if (letter === 'm') {
      const afterHours = ['hour', 'elapsed-h'].includes(findLastUnit(parts)?.unit ?? '');
      parts.push({ unit: afterHours ? 'minute' : 'month', length: token.length });
    } else if (letter === 's') {
      const before = findLastUnit(parts);
      if (before?.unit === 'month') before.unit = 'minute'; // of "mm:ss"
      parts.push({ unit: 'second', length: fraction ? 2 + fraction.length : Math.min(token.length, 2) });
    } else if (UNITS[letter]) parts.push({ unit: UNITS[letter], length: token.length });
    else parts.push({ text: quoted ?? escaped ?? other ?? (letter === '_' ? ' ' : '') });
  }
  return parts;
}

const findLastUnit = (parts: DateFormat): UnitPart | undefined =>
  parts.findLast((part): part is UnitPart => 'unit' in part);

const DAY_MS = 86_400_000;
/** Days from Excel's day 0 to 1970-01-01, and from its other day 0 in files of old Macs. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;

/** A number of days as Excel shows it. */
export function formatDate(serial: number, format: DateFormat, from1904: boolean): string {
  const fine = format.some((part) => 'unit' in part && part.unit === 'second' && part.length > 2);
  const round = (days: number) => (fine ? Math.round(days * DAY_MS) : Math.round(days * 86_400) * 1_000);
  const moment = {
    date: new Date(round(toUnixDays(serial, from1904))),
    elapsedSeconds: Math.floor(round(serial) / 1_000),
    twelveHours: format.some((part) => 'unit' in part && part.unit === 'half'),
  };
  return format
    .map((part) => ('text' in part ? part.text : formatPart(part, moment)))
    .join('')
    .trim();
}

/** Excel counts a 29 February 1900, so that its days before March 1900 are one too low. */
function toUnixDays(serial: number, from1904: boolean): number {
  if (from1904) return serial - EPOCH_1904;
  return serial - EPOCH_1900 + (serial < 60 ? 1 : 0);
}

/** The serial number of a cell that has its date as text, such as "2026-03-29T14:30:00". */
export function toSerial(iso: string): number {
  const ms = Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`);
  return ms / DAY_MS + EPOCH_1900;
}

interface Moment {
  date: Date;
  elapsedSeconds: number;
  twelveHours: boolean;
}

function formatPart({ unit, length }: UnitPart, moment: Moment): string {
  const { date, elapsedSeconds, twelveHours } = moment;
  const pad = (value: number) => String(value).padStart(Math.min(length, 2), '0');
  const hours = date.getUTCHours();
  switch (unit) {
    case 'year':
      return length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0');
    case 'month':
      return length > 2 ? nameMonth(date, length) : pad(date.getUTCMonth() + 1);
    case 'day':
      return length > 2 ? nameDay(date, length) : pad(date.getUTCDate());
    case 'hour':
      return pad(twelveHours ? hours % 12 || 12 : hours);
    case 'minute':
      return pad(date.getUTCMinutes());
    case 'second':
      return length > 2 ? formatSeconds(date, length - 2) : pad(date.getUTCSeconds());
    case 'half':
      return (hours < 12 ? 'AM' : 'PM').slice(0, length > 3 ? 2 : 1);
    case 'elapsed-h':
      return pad(Math.floor(elapsedSeconds / 3_600));
    case 'elapsed-m':
      return pad(Math.floor(elapsedSeconds / 60));
    case 'elapsed-s':
      return pad(elapsedSeconds);
  }
}

const inEnglish = (date: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(date);

function nameMonth(date: Date, length: number): string {
  const name = inEnglish(date, { month: length === 3 ? 'short' : 'long' });
  return length === 5 ? name.charAt(0) : name;
}

const nameDay = (date: Date, length: number) => inEnglish(date, { weekday: length === 3 ? 'short' : 'long' });

function formatSeconds(date: Date, digits: number): string {
  const [seconds, milliseconds] = [date.getUTCSeconds(), date.getUTCMilliseconds()];
  return `${String(seconds).padStart(2, '0')}.${String(milliseconds).padStart(3, '0').slice(0, digits)}`;
}
