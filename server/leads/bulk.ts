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

export interface Bulk {
  ids: number[];
  viewer: Viewer;
  allowed: LeadPolicy;
  /** Done to all permitted leads at once, in the order of their ids. Returns those that it could not be done to. */
  work: (leads: Lead[]) => Promise<BulkResults['results']['errors']>;
}

/**
 * Does one thing to many leads in one transaction, authorising each by itself. Locked in the order of their ids, so that
 * two bulk changes of the same leads wait for each other instead of ending in a deadlock.
 */
export async function inBulk(tx: Db, { ids, viewer, allowed, work }: Bulk): Promise<BulkResults> {
  const wanted = [...new Set(ids)];
  const found = await tx
    .select(leadColumns)
    .from(leads)
    .where(inArray(leads.id, wanted))
    .orderBy(leads.id)
    .for('update');
  if (!found.length) throw new Refusal('not_found', 'None of these businesses is in the list any more');
  const permitted = found.filter((lead) => allowed(viewer, lead));
  if (!permitted.length) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);

  const errors = new Map<number, string>();
  for (const id of wanted) errors.set(id, 'This business is no longer in the list');
  for (const { id } of found) errors.set(id, NOT_YOUR_LEAD);
  for (const { id } of permitted) errors.delete(id);
  for (const { id, message } of await work(permitted)) errors.set(id, message);
  return {
    results: {
      success: wanted.length - errors.size,
      failed: errors.size,
      errors: [...errors].map(([id, message]) => ({ id, message })),
    },
  };
}
