import type { Lead, LeadBusiness } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';

/** What a model needs to know of a lead, with few characters. */
export const compactLead = (business: LeadBusiness, lead: Lead, holder: { id: number; fullName: string }) => ({
  lead: lead.uuid,
  name: business.name,
  address: business.formattedAddress,
  type: business.type,
  phone: business.phone,
  ...(business.phoneIsWrong && { phoneIsWrong: true }),
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
