import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { LeadScope } from '#contract/leads/lead-filter.ts';
import { canListTeam, canSeeLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findLead, lockLead } from './leads.sql.ts';
import { isInFence } from './list/lead-filter.sql.ts';
import { findJoinedLead } from './merged-rows.sql.ts';

export const NOT_YOUR_LEAD = 'This business is assigned to another user';

function authorise(lead: Lead | undefined, viewer: Viewer, allowed: LeadPolicy): Lead {
  if (!lead) throw new Refusal('not_found', 'This business is no longer in the list');
  if (!allowed(viewer, lead)) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  return lead;
}

/** A program may be limited to the leads of a saved view. */
async function requireInFence(db: Db, lead: Lead, viewer: Viewer): Promise<Lead> {
  if (await isInFence(db, viewer, lead.id)) return lead;
  throw new Refusal('token_not_allowed', 'This business is not in the saved view of this token');
}

/** The lead, for reading. */
export const requireLead = async (db: Db, leadRef: LeadRef, viewer: Viewer, allowed: LeadPolicy) =>
  requireInFence(db, authorise(await findLead(db, leadRef), viewer, allowed), viewer);

/** The lead, for its profile. Where a merge joined it into another one, the refusal says into which. */
export async function requireShownLead(db: Db, leadRef: LeadRef, viewer: Viewer) {
  const lead = await findLead(db, leadRef);
  const joined = lead ? undefined : await findJoinedLead(db, leadRef);
  if (joined && canSeeLead(viewer, joined)) {
    throw new Refusal('not_found', 'This business was merged with another one', { extra: { movedTo: joined.uuid } });
  }
  return requireInFence(db, authorise(lead, viewer, canSeeLead), viewer);
}

/** Of a request that changes a lead. */
interface LeadChange {
  viewer: Viewer;
  request: Pick<FastifyRequest, 'headers'>;
}

/** The lead, for changing: locked, so that it is changed as it was authorised, and as the client knows it. */
export async function requireLockedLead(
  tx: Db,
  leadRef: LeadRef,
  { viewer, request }: LeadChange,
  allowed: LeadPolicy,
): Promise<Lead> {
  const lead = await requireInFence(tx, authorise(await lockLead(tx, leadRef), viewer, allowed), viewer);
  requireMatch(request, lead);
  return lead;
}

/** A client that sends `If-Match` with the `updatedAt` of a lead changes only the lead that it has read. */
function requireMatch({ headers }: LeadChange['request'], lead: Lead) {
  const expected = headers['if-match'];
  if (expected === undefined || expected === '*' || expected === `"${lead.updatedAt}"`) return;
  throw new Refusal('lead_changed', 'This business has changed since it was read', { extra: { current: lead } });
}

/** Refuses the list of the whole team to users who see only their own leads. */
export function requireListAccess(viewer: Viewer, { team }: LeadScope): void {
  if (team && !canListTeam(viewer)) throw new Refusal('forbidden', "Only managers and admins can see the team's leads");
}
