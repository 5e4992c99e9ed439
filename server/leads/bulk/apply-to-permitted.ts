import { inArray } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { BulkResults } from '#contract/leads/lead-lists.calls.ts';
import type { LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import { NOT_YOUR_LEAD } from '#server/leads/require-lead.ts';
import { leads } from '#server/schema/leads.ts';

export interface PreparedAction {
  allowed: LeadPolicy;
  /** Receives all permitted leads, ordered by id. Returns the errors of those it could not change. */
  apply: (leads: Lead[]) => Promise<BulkResults['results']['errors']>;
}

interface Selected {
  ids: number[];
  viewer: Viewer;
}

/**
 * Applies one action to many leads in one transaction, and authorises each. Leads are locked in the order of their ids,
 * so that two bulk actions on the same leads wait for each other instead of deadlocking.
 */
export async function applyToPermitted(tx: Db, { ids, viewer }: Selected, { allowed, apply }: PreparedAction) {
  const uniqueIds = [...new Set(ids)];
  const found = await tx
    .select(leadColumns)
    .from(leads)
    .where(inArray(leads.id, uniqueIds))
    .orderBy(leads.id)
    .for('update');
  const permitted = found.filter((lead) => allowed(viewer, lead));

  const errors = new Map<number, string>();
  for (const id of uniqueIds) errors.set(id, 'This business is no longer in the list');
  for (const { id } of found) errors.set(id, NOT_YOUR_LEAD);
  for (const { id } of permitted) errors.delete(id);
  if (permitted.length) for (const { id, message } of await apply(permitted)) errors.set(id, message);
  return {
    found: found.length,
    permitted: permitted.length,
    results: {
      success: uniqueIds.length - errors.size,
      failed: errors.size,
      errors: [...errors].map(([id, message]) => ({ id, message })),
    },
  };
}

/** As `applyToPermitted`, for one request: refuses it if there is nothing to change. */
export async function runBulk(tx: Db, selected: Selected, action: PreparedAction): Promise<BulkResults> {
  const { found, permitted, results } = await applyToPermitted(tx, selected, action);
  if (!found) throw new Refusal('not_found', 'None of these businesses is in the list any more');
  if (!permitted) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  return { results };
}
