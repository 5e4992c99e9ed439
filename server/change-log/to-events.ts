import { isClosed, type LeadStatus } from '#contract/leads/lead.ts';
import type { NewEvent } from '#server/webhook-events/record-events.sql.ts';
import type { Batch, NewChange } from './batches.sql.ts';

/** What webhooks are told of a batch of changes: of each lead which of its fields changed, and what that means. */
export function toEvents(changes: NewChange[], { userId, program }: Pick<Batch, 'userId' | 'program'>): NewEvent[] {
  const by = { userId, ...(program && { program }) };
  const changed = new Map<string, NewChange[]>();
  for (const change of changes) {
    const key = change.leadId === null ? `business ${change.businessId}` : `lead ${change.leadId}`;
    changed.set(key, [...(changed.get(key) ?? []), change]);
  }
  return [...changed.values()].flatMap((ofOne) =>
    toEventsOfOne(ofOne).map(({ data, ...event }) => ({ ...event, data: { ...data, by } })),
  );
}

function toEventsOfOne(changes: NewChange[]): NewEvent[] {
  const [first] = changes;
  if (!first) return [];
  const of = first.leadId === null ? { businessId: first.businessId ?? 0 } : { leadId: first.leadId };
  // What else is recorded of a new lead is part of making it.
  if (changes.some(({ field }) => field === 'lead')) return [{ type: 'lead.created', ...of }];
  const events: NewEvent[] = [];
  const holder = changes.find(({ field }) => field === 'holder');
  if (holder) events.push({ type: 'lead.assigned', ...of, data: { previousHolderId: readUserId(holder.before) } });
  // Merges say themselves of which leads they are.
  const fields = changes.filter(({ field }) => field !== 'holder' && field !== 'merge').map(nameField);
  if (fields.length) events.push({ type: 'lead.changed', ...of, data: { fields: [...new Set(fields)] } });
  const status = changes.find(({ field }) => field === 'status')?.after as LeadStatus | undefined; // as it is recorded
  if (status && isClosed(status)) events.push({ type: 'lead.closed', ...of, data: { status } });
  return events;
}

/** A field of the team's own has its id, as in the calls on leads. */
const nameField = ({ field, item }: NewChange) => (field === 'ownField' ? `ownFields.${item}` : field);

const readUserId = (holder: unknown) => (holder as { userId: number } | null)?.userId ?? null; // as it is recorded
