import { z } from 'zod';

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/;

export const MAX_ID = 2_147_483_647;

/** One line of text, at most `max` characters. Tabs and line breaks, which come from pasting, become spaces. */
export const line = (max: number, name = 'This field', missingMessage?: string) =>
  z
    .string(missingMessage)
    .overwrite((value) => value.replace(/[\t\r\n]+/g, ' '))
    .trim()
    .max(max, `${name} must be at most ${max} characters`)
    .refine((value) => !CONTROL.test(value), `${name} must not contain control characters`);

/** Text of several lines, unchanged. */
export const text = (max: number, name = 'This text') =>
  z.string().max(max, `${name} must be at most ${max} characters`);

/** An id in a path: decimal digits within PostgreSQL's integer range. */
export const pathId = z.coerce
  .string<string | number>()
  .regex(/^[1-9][0-9]{0,9}$/, 'The id must be a whole number')
  .transform(Number)
  .refine((id) => id <= MAX_ID, 'The id is too large');

/** An id in a body: a number, never a string that looks like one. */
export const bodyId = (message?: string) => z.number(message).int(message).min(1, message).max(MAX_ID, message);

/** A user in a query; empty for none. */
export const optionalUserId = z.coerce
  .string<string | number>()
  .regex(/^(|[1-9][0-9]{0,9})$/, 'must be a user id')
  .optional()
  .transform((value) => (value ? Number(value) : undefined))
  .refine((id) => id === undefined || id <= MAX_ID, 'must be a user id');

/** A timestamp in UTC, as an ISO 8601 string. */
export const moment = z.iso.datetime();

export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2099-12-31';

/** A day in the team's time zone, such as 2026-03-04. */
export const calendarDay = z.iso
  .date({ error: 'must be a day, such as 2026-03-04', abort: true })
  .refine((day) => day >= FIRST_DAY && day <= LAST_DAY, 'must be a day of this century');
