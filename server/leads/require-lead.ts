import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findLead, lockLead } from './leads.sql.ts';

export const NOT_YOUR_LEAD = 'This business is assigned to another user';

function allow(lead: Lead | undefined, viewer: Viewer, allowed: LeadPolicy): Lead {
  if (!lead) throw new Refusal('not_found', 'This business is no longer in the list');
  if (!allowed(viewer, lead)) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  return lead;
}

/** The lead for reading, or a refusal. */
export const requireLead = async (db: Db, name: LeadRef, viewer: Viewer, allowed: LeadPolicy) =>
  allow(await findLead(db, name), viewer, allowed);

/** The lead for changing: locked, so that what was judged is what is changed. */
export const requireLockedLead = async (tx: Db, name: LeadRef, viewer: Viewer, allowed: LeadPolicy) =>
  allow(await lockLead(tx, name), viewer, allowed);
