import { line } from '../fields.ts';

/** Digits and the usual separators; an empty string clears the number. */
export const phone = line(40, 'Phone number').regex(
  /^(?:[0-9 +().\-/#]|ext|x)*$/i,
  'Phone number may contain only digits, spaces and + ( ) - . / # x ext',
);
