import type { Viewer } from '../users/user.ts';
import { type LeadFilter, leadFilter } from './lead-filter.ts';
import { canListTeam, listsEveryLead } from './lead-policy.ts';

/**
 * The filter of a saved view with the viewer's own rights: what they may not list is narrowed to their own leads, as on the
 * screen. Undefined where an earlier version stored what is not valid any more.
 */
export function toViewerFilter(viewer: Viewer, settings: Record<string, string>): LeadFilter | undefined {
  const { data: filter } = leadFilter.safeParse(settings);
  if (!filter) return undefined;
  const team = filter.team && canListTeam(viewer);
  return { ...filter, team, user: listsEveryLead(viewer, { team }) ? filter.user : undefined };
}
