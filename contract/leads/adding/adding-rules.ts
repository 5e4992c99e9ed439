import { z } from 'zod';

export const MAX_PER_DAY = 1_000;
const WHOLE = `Please enter a whole number from 1 to ${MAX_PER_DAY}`;

/** Whether users and managers may add businesses and take leads for themselves. Administrators always may, for anyone. */
export const addingRules = z.strictObject({
  allowed: z.boolean(),
  /** How many a day, of the team's time zone, each of them. */
  perDay: z.number(WHOLE).int(WHOLE).min(1, WHOLE).max(MAX_PER_DAY, WHOLE),
  /** Whether a user with a territory stays in its districts. */
  inTerritory: z.boolean(),
});
export type AddingRules = z.infer<typeof addingRules>;

export const DEFAULT_ADDING: AddingRules = { allowed: false, perDay: 50, inTerritory: true };
