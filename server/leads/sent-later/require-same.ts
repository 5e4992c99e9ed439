import { Refusal } from '#contract/errors.ts';
import type { CustomFields, Lead, LeadStatus } from '#contract/leads/lead.ts';

/** Contains the current values, so that the client can show both and none is lost. */
export const staleField = (current: Record<string, unknown>) =>
  new Refusal('stale_field', 'Another user has changed this meanwhile', { extra: { current } });

/** Refuses to replace a status that the client has not seen. */
export function requireSameStatus(lead: Lead, status: LeadStatus, before: LeadStatus = lead.status) {
  if (lead.status !== before && lead.status !== status) throw staleField({ status: lead.status });
}

/** As `requireSameStatus`, for details; a missing one is empty. */
export function requireSameDetails({ customFields: current }: Lead, sent: CustomFields, before: CustomFields = {}) {
  const keys = Object.keys(before) as (keyof CustomFields)[]; // as the body's schema has them
  const isReplaced = (key: keyof CustomFields) =>
    sent[key] !== undefined && ![before[key] ?? '', sent[key]].includes(current[key] ?? '');
  if (keys.some(isReplaced)) throw staleField(Object.fromEntries(keys.map((key) => [key, current[key] ?? ''])));
}
