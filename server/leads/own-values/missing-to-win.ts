import type { Lead, LeadStatus } from '#contract/leads/lead.ts';
import { findMissingToWin } from '#contract/leads/own-fields/own-field.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';

/** The leads that cannot get this status because a field is empty, with the reason. */
export async function listMissingToWin(tx: Db, leads: Lead[], status: LeadStatus): Promise<Map<number, string>> {
  if (status !== 'closed_won') return new Map();
  const fields = await listFields(tx);
  return new Map(
    leads.flatMap((lead): [number, string][] => {
      const reason = lead.status === status ? undefined : findMissingToWin(fields, lead.ownFields);
      return reason ? [[lead.id, reason]] : [];
    }),
  );
}
