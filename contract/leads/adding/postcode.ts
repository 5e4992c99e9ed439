import { z } from 'zod';
import { DISTRICT } from '#contract/districts/district.ts';

const POSTCODE = /^([A-Z]{1,2}[0-9][A-Z0-9]?)([0-9][A-Z]{2})$/;

/** "ls14dy" as it is written: "LS1 4DY". A district alone stays one; undefined is neither. */
export function parsePostcode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/\s+/g, '');
  const [, outward, inward] = POSTCODE.exec(letters) ?? [];
  if (outward && inward) return `${outward} ${inward}`;
  return DISTRICT.test(letters) ? letters : undefined;
}

/** A postcode, or its district alone; empty for none. */
export const postcode = z
  .string()
  .trim()
  .max(20, 'Please enter a postcode, such as LS1 4DY')
  .transform((typed, context) => {
    const parsed = typed === '' ? '' : parsePostcode(typed);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: 'Please enter a postcode, such as LS1 4DY' });
    return z.NEVER;
  });
