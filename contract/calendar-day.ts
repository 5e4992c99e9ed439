import { z } from 'zod';

export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2099-12-31';

/** A day in the team's time zone, such as 2026-03-04. */
export const calendarDay = z.iso
  .date({ error: 'must be a day, such as 2026-03-04', abort: true })
  .refine((day) => day >= FIRST_DAY && day <= LAST_DAY, 'must be a day of this century');
