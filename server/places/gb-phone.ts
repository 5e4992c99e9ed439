/** A telephone number of the United Kingdom, as people there dial it and as others do. */
export function gbPhone(written: string | null | undefined): { national: string; international: string } | null {
  const first = (written ?? '').split(/[;,]/)[0]?.trim() ?? '';
  const digits = first
    .replace(/\(0\)/g, '')
    .replace(/[^\d+]/g, '')
    .replace(/^(\+|00)44/, '0');
  if (!/^0[1235789]\d{8,9}$/.test(digits)) return null;
  const national = grouped(digits);
  return { national, international: `+44 ${national.slice(1)}` };
}

// London and its like have three digits before the subscriber's eight; the big cities and service numbers four.
function grouped(digits: string): string {
  if (digits.startsWith('02')) return `${digits.slice(0, 3)} ${digits.slice(3, 7)} ${digits.slice(7)}`;
  if (/^0(11|1.1|3|8|9)/.test(digits)) return `${digits.slice(0, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`;
  return `${digits.slice(0, 5)} ${digits.slice(5)}`;
}
