import { z } from 'zod';

/** £9,999,999,999: more is a typing error. */
const MAX_DIGITS = 10;

/** "£1,500.00", as spreadsheets write it, becomes "1500"; what is no amount stays as it is. */
function toWholeUnits(text: string): string {
  const plain = text.replace(/^[\p{Sc}A-Z]*\s*(?=\d)|[\s,]|\s*[\p{Sc}A-Z]*$/gu, '');
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
export function formatAmount(units: string, currency: string): string {
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-GB', options);
  formats.set(currency, format);
  return format.format(Number(units));
}
