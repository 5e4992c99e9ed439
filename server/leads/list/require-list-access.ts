import { Refusal } from '#contract/errors.ts';
import type { LeadScope } from '#contract/leads/lead-filter.ts';
import { canListTeam } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';

/** Refuses the list of the whole team to users who see only their own leads. */
export function requireListAccess(viewer: Viewer, { team }: LeadScope): void {
  if (team && !canListTeam(viewer)) throw new Refusal('forbidden', "Only managers and admins can see the team's leads");
}
