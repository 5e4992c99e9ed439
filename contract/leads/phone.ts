import { line } from '../fields.ts';

/** Digits and the usual separators; an empty string clears the number. */
export const phone = line(40, 'Phone number').regex(
  /^(?:[0-9 +().\-/#]|ext|x)*$/i,
  'Phone number may contain only digits, spaces and + ( ) - . / # x ext',
);

/** Whether a contact found that the number is not the business's; another number is not wrong. */
export const isWrongPhone = (phone: string | null, wrongPhone: string | null) => phone !== null && phone === wrongPhone;
