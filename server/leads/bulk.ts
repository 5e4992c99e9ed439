import { inArray } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { BulkResults } from '#contract/leads/lead-lists.calls.ts';
import type { LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/kit/db/schema.ts';
import { leadColumns } from './leads.sql.ts';
import { NOT_YOUR_LEAD } from './require-lead.ts';

export interface BulkAction {
  ids: number[];
  viewer: Viewer;
  allowed: LeadPolicy;
  /** Receives all permitted leads, ordered by id. Returns the errors of those it could not change. */
  apply: (leads: Lead[]) => Promise<BulkResults['results']['errors']>;
}

/**
 * Applies one action to many leads in one transaction, and authorises each. Leads are locked in the order of their ids,
 * so that two bulk actions on the same leads wait for each other instead of deadlocking.
 */
export async function runBulk(tx: Db, { ids, viewer, allowed, apply }: BulkAction): Promise<BulkResults> {
  const uniqueIds = [...new Set(ids)];
  const found = await tx
    .select(leadColumns)
    .from(leads)
    .where(inArray(leads.id, uniqueIds))
    .orderBy(leads.id)
    .for('update');
  if (!found.length) throw new Refusal('not_found', 'None of these businesses is in the list any more');
  const permitted = found.filter((lead) => allowed(viewer, lead));
  if (!permitted.length) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);

  const errors = new Map<number, string>();
  for (const id of uniqueIds) errors.set(id, 'This business is no longer in the list');
  for (const { id } of found) errors.set(id, NOT_YOUR_LEAD);
  for (const { id } of permitted) errors.delete(id);
  for (const { id, message } of await apply(permitted)) errors.set(id, message);
  return {
    results: {
      success: uniqueIds.length - errors.size,
      failed: errors.size,
      errors: [...errors].map(([id, message]) => ({ id, message })),
    },
  };
}
