import { z } from 'zod';

/** What happens where the rules say not to contact somebody. */
export const contactMode = z.enum(['off', 'warn', 'enforce']);
export type ContactMode = z.infer<typeof contactMode>;

export const contactRules = z.strictObject({ mode: contactMode });
export type ContactRules = z.infer<typeof contactRules>;

export const DEFAULT_CONTACT_RULES: ContactRules = { mode: 'warn' };
