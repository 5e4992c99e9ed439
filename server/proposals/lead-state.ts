import { isDeepStrictEqual } from 'node:util';
import type { Lead } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { readFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { businesses } from '#server/schema/leads.ts';
import type { LeadState } from '#server/schema/proposals.ts';

/** The leads as they are now, by their ids. */
export async function readLeadStates(db: Db, leads: Lead[]): Promise<Map<number, LeadState>> {
  const { id, phone, website } = businesses;
  const contacts = await db
    .select({ id, phone, website })
    .from(businesses)
    .where(
      anyOf(
        id,
        leads.map(({ businessId }) => businessId),
      ),
    );
  const contactOf = new Map(contacts.map((contact) => [contact.id, contact]));
  const followUps = await readFollowUps(db, leads);
  return new Map(
    leads.map((lead) => {
      const followUp = followUps.get(lead.id);
      const contact = contactOf.get(lead.businessId);
      return [
        lead.id,
        {
          holder: lead.userId,
          status: lead.status,
          archived: lead.archived,
          existingCustomer: lead.existingCustomer,
          notesVersion: lead.notesVersion,
          tags: lead.tags,
          details: lead.customFields,
          ownFields: lead.ownFields,
          lastContactedAt: lead.lastContactedAt,
          nextStep: followUp ? { type: followUp.type, at: followUp.at, note: followUp.note } : null,
          phone: contact?.phone ?? null,
          website: contact?.website ?? null,
        },
      ];
    }),
  );
}

const LABEL: Record<keyof LeadState, string> = {
  holder: 'holder',
  status: 'status',
  archived: 'archive',
  existingCustomer: 'existing customer',
  notesVersion: 'notes',
  tags: 'tags',
  details: 'details',
  ownFields: 'fields',
  lastContactedAt: 'last contact',
  nextStep: 'next step',
  phone: 'phone',
  website: 'website',
};

/** What of a lead was changed since a proposal, in words; undefined where nothing was. That it was looked at does not count. */
export function describeChangesSince(base: LeadState, now: LeadState): string | undefined {
  const keys = Object.keys(LABEL) as (keyof LeadState)[]; // the keys of a literal
  const changed = keys.filter((key) => !isDeepStrictEqual(base[key], now[key]));
  return changed.length ? `Changed since it was proposed: ${changed.map((key) => LABEL[key]).join(', ')}` : undefined;
}
