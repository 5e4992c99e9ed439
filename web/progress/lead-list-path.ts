import { toAttentionParams } from '#contract/leads/attention-params.ts';
import type { LeadAttention } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';

/** The list of a user's leads; with `attention`, of all that need it. */
export function leadListPath(viewer: Viewer, userId: number, attention?: LeadAttention): string {
  const params = new URLSearchParams({
    // Their own leads are not the team's: a manager may change those.
    ...(userId !== viewer.id && { team: 'true' }),
    user: String(userId),
    ...(attention && toAttentionParams(attention)),
  });
  return `/crm?${params}`;
}
