import { z } from 'zod';

/** Why two businesses look like one. */
export const duplicateReason = z.enum(['phone', 'website', 'email', 'name_postcode', 'name_town']);
export type DuplicateReason = z.infer<typeof duplicateReason>;

export const DUPLICATE_REASON_LABEL: Record<DuplicateReason, string> = {
  phone: 'Same phone',
  website: 'Same website',
  email: 'Same e-mail',
  name_postcode: 'Similar name, same postcode',
  name_town: 'Similar name, same town',
};

/** What was decided about two businesses that look like one. */
const duplicateState = z.enum(['open', 'dismissed', 'merged']);
export type DuplicateState = z.infer<typeof duplicateState>;

/** The score from which two businesses are shown as a likely duplicate. */
export const MATCH_SCORE = 0.7;

/** An existing business that another one looks like. */
export const duplicateMatch = z.strictObject({
  businessId: z.number(),
  name: z.string(),
  town: z.string().nullable(),
  reasons: z.array(duplicateReason).min(1),
  /** 0 to 1; from MATCH_SCORE on it is shown as a likely duplicate. */
  score: z.number(),
});
export type DuplicateMatch = z.infer<typeof duplicateMatch>;
