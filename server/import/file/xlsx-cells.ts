import { type DateFormat, formatDate, parseDateFormat } from './xlsx-dates.ts';

/** How a number is shown. */
export type NumberFormat =
  | { kind: 'percent' | 'plain' }
  | { kind: 'date'; parts: DateFormat }
  | { kind: 'padded'; digits: number };

const PLAIN: NumberFormat = { kind: 'plain' };
/** Of the formats of Excel that have no code in the file. */
const PERCENT_IDS = [9, 10];

/** The format of a number by its id and its code, such as "dd/mm/yyyy". */
export function parseNumberFormat(id: number, code: string | undefined): NumberFormat {
  if (code?.toLowerCase() === 'general') return PLAIN;
  const parts = parseDateFormat(id, code);
  if (parts) return { kind: 'date', parts };
  if (code === undefined) return PERCENT_IDS.includes(id) ? { kind: 'percent' } : PLAIN;
  const digits = code.split(';', 1)[0]?.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '') ?? '';
  if (digits.includes('%')) return { kind: 'percent' };
  // A telephone number or code that is stored as a number: "00000000000" shows its leading zeros.
  return /^0{2,}$/.test(digits) ? { kind: 'padded', digits: digits.length } : PLAIN;
}

/** 9999-12-31 */
const MAX_SERIAL = 2_958_465;

/** The text of a numeric cell, as Excel shows it. */
export function formatNumber(text: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return '';
  if (format.kind === 'padded') return String(Math.round(value)).padStart(format.digits, '0');
  if (format.kind === 'percent') return `${trimNumber(value * 100)}%`;
  const isDate = format.kind === 'date' && value >= 0 && value <= MAX_SERIAL;
  return isDate ? formatDate(value, format.parts, from1904) : trimNumber(value);
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
