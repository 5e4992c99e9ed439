import { z } from 'zod';

/** £9,999,999,999: more is a typing error. */
const MAX_DIGITS = 10;

/** "£1,500.00" as "1500.00". */
export const stripCurrency = (text: string) => text.replace(/^[\p{Sc}A-Z]*\s*(?=\d)|[\s,]|\s*[\p{Sc}A-Z]*$/gu, '');

/** "£1,500.00", as spreadsheets write it, becomes "1500"; what is no amount stays as it is. */
function toWholeUnits(text: string): string {
  const plain = stripCurrency(text);
  return /^\d+(\.\d+)?$/.test(plain) && plain.length <= 20 ? String(Math.round(Number(plain))) : text;
}

/** An amount in whole units of the team's currency, as text; pence are rounded, and the empty text is none. */
export const amount = (name: string) =>
  z
    .string()
    .trim()
    .overwrite(toWholeUnits)
    .regex(new RegExp(`^\\d{0,${MAX_DIGITS}}$`), `${name} must be a number such as 1500`);

const formats = new Map<string, Intl.NumberFormat>();

/** "£1,500" */
export const formatAmount = (units: string, currency: string) => toFormat(currency, 0).format(Number(units));

/** "£1,500", "£49.50" */
export const formatMoney = (value: number, currency: string) =>
  toFormat(currency, Number.isInteger(value) ? 0 : 2).format(value);

function toFormat(currency: string, digits: number): Intl.NumberFormat {
  const key = `${currency} ${digits}`;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = formats.get(key) ?? new Intl.NumberFormat('en-GB', { style: 'currency', currency, ...fraction });
  formats.set(key, format);
  return format;
}
