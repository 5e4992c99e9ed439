import { mayContact } from '#contract/contact-rules/may-contact.ts';
import { contactChannel, type ObjectionFact } from '#contract/contact-rules/objection.ts';
import type { Lead, LeadBusiness } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';

/**
 * By which ways not to contact a business, and why: beside each number and address. Whatever the team's pages do about an
 * objection, a model is told of it, and never that something is allowed.
 */
export function readDoNotContact(objections: readonly ObjectionFact[]) {
  const facts = { objections, rules: { mode: 'enforce' } } as const;
  const doNotContact = contactChannel.options.filter((channel) => !mayContact(channel, facts).allowed);
  return { doNotContact, ...(objections.length && { objections }) };
}

/** What a model needs to know of a lead, with few characters. */
export const compactLead = (business: LeadBusiness, lead: Lead, holder: { id: number; fullName: string }) => ({
  lead: lead.uuid,
  name: business.name,
  address: business.formattedAddress,
  type: business.type,
  phone: business.phone,
  ...(business.phoneIsWrong && { phoneIsWrong: true }),
  ...readDoNotContact(business.objections),
  website: business.website,
  status: lead.status,
  tags: lead.tags,
  details: lead.customFields,
  ownFields: lead.ownFields,
  nextStepAt: lead.nextStepAt,
  nextStepType: lead.nextStepType,
  lastContactedAt: lead.lastContactedAt,
  ...(lead.archived && { archived: true }),
  ...(lead.existingCustomer && { existingCustomer: true }),
  holder: { id: holder.id, name: holder.fullName },
});

/** A row of a list: its notes are on the profile. */
export const compactListed = ({
  business,
  userBusiness,
  user,
  latestActivity,
}: Pick<ListedLead, 'business' | 'userBusiness' | 'user' | 'latestActivity'>) => ({
  ...compactLead(business, userBusiness, user),
  latestActivity,
});
