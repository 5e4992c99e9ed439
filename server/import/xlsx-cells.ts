/** How a number is shown. */
export type NumberFormat =
  | { kind: 'date' | 'time' | 'dateTime' | 'percent' | 'plain' }
  | { kind: 'padded'; digits: number };

const PLAIN: NumberFormat = { kind: 'plain' };

/** The formats of Excel that have no code in the file, as far as they are not plain numbers. */
const BUILT_IN = new Map<number, NumberFormat>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id): [number, NumberFormat] => [id, { kind: 'date' }],
  ),
  ...[18, 19, 20, 21, 32, 33, 45, 46, 47].map((id): [number, NumberFormat] => [id, { kind: 'time' }]),
  [22, { kind: 'dateTime' }],
  [9, { kind: 'percent' }],
  [10, { kind: 'percent' }],
]);

/** The format of a number by its id and its code, such as "dd/mm/yyyy". */
export function parseNumberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? PLAIN;
  const letters = code
    .split(';', 1)[0]
    ?.replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (!letters || letters === 'general') return PLAIN;
  const hasDate = /[yd]/.test(letters) || /^m+$/.test(letters);
  const hasTime = /[hs]/.test(letters);
  if (hasDate) return { kind: hasTime ? 'dateTime' : 'date' };
  if (hasTime) return { kind: 'time' };
  if (letters.includes('%')) return { kind: 'percent' };
  // A telephone number or code that is stored as a number: "00000000000" shows its leading zeros.
  return /^0{2,}$/.test(letters) ? { kind: 'padded', digits: letters.length } : PLAIN;
}

const DAY_MS = 86_400_000;
/** Days from Excel's day 0 to 1970-01-01, and from its other day 0 in files of old Macs. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;
/** 9999-12-31 */
const MAX_SERIAL = 2_958_465;

/** The text of a numeric cell, as Excel shows it; dates as "2026-03-29", with a time as "2026-03-29 14:30". */
export function formatNumber(text: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return '';
  if (format.kind === 'padded') return String(Math.round(value)).padStart(format.digits, '0');
  if (format.kind === 'percent') return `${trimNumber(value * 100)}%`;
  if (format.kind === 'plain') return trimNumber(value);
  if (value < 0 || value > MAX_SERIAL) return trimNumber(value);
  const iso = new Date(Math.round((toUnixDays(value, from1904) * DAY_MS) / 1_000) * 1_000).toISOString();
  const [date = '', time = ''] = iso.split('T');
  if (format.kind === 'date') return date;
  return format.kind === 'time' ? time.slice(0, 5) : `${date} ${time.slice(0, 5)}`;
}

/** Excel counts a 29 February 1900, so that its days before March 1900 are one too low. */
function toUnixDays(serial: number, from1904: boolean): number {
  if (from1904) return serial - EPOCH_1904;
  return serial - EPOCH_1900 + (serial < 60 ? 1 : 0);
}

/** Excel keeps 15 digits; a whole number has no exponent. */
function trimNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  return Number.isInteger(rounded) ? BigInt(rounded).toString() : String(rounded);
}

/** The index of a cell's column: 0 for "A7", 27 for "AB7". */
export function parseColumn(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
