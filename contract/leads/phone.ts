import { line } from '../fields.ts';

/** Digits and what people write between them; an empty one clears. */
export const phone = line(40, 'Phone number').regex(
  /^(?:[0-9 +().\-/#]|ext|x)*$/i,
  'Phone number may contain only digits, spaces and + ( ) - . / # x ext',
);
