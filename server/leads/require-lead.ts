import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findLead, lockLead } from './leads.sql.ts';

export const NOT_YOUR_LEAD = 'This business is assigned to another user';

function authorise(lead: Lead | undefined, viewer: Viewer, allowed: LeadPolicy): Lead {
  if (!lead) throw new Refusal('not_found', 'This business is no longer in the list');
  if (!allowed(viewer, lead)) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  return lead;
}

/** The lead, for reading. */
export const requireLead = async (db: Db, leadRef: LeadRef, viewer: Viewer, allowed: LeadPolicy) =>
  authorise(await findLead(db, leadRef), viewer, allowed);

/** The lead, for changing: locked, so that it is changed as it was authorised. */
export const requireLockedLead = async (tx: Db, leadRef: LeadRef, viewer: Viewer, allowed: LeadPolicy) =>
  authorise(await lockLead(tx, leadRef), viewer, allowed);
