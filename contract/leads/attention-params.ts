import type { LeadAttention } from './lead-filter.ts';

/** The parameters of the list of all leads that need attention, as a user's day counts them: closed leads and customers included. */
export const toAttentionParams = (attention: LeadAttention): Record<string, string> => ({
  attention,
  ...((attention === 'overdue' || attention === 'long_overdue') && { hideClosed: 'false', existing: 'true' }),
});
