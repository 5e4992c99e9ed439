import type { LeadAttention } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';

/** The list of a user's leads; with `attention`, of all that their day counts, closed leads and customers included. */
export function leadListPath(viewer: Viewer, userId: number, attention?: LeadAttention): string {
  const params = new URLSearchParams();
  // Their own leads are not the team's: a manager may change those.
  if (userId !== viewer.id) params.set('team', 'true');
  params.set('user', String(userId));
  if (attention) params.set('attention', attention);
  if (attention === 'overdue' || attention === 'long_overdue') {
    params.set('hideClosed', 'false');
    params.set('existing', 'true');
  }
  return `/crm?${params}`;
}
