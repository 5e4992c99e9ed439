import { z } from 'zod';
import { isBusinessType } from '#contract/business-types/business-types.ts';
import { call } from '#contract/call.ts';
import { district } from '#contract/districts/district.ts';
import { bodyId, line } from '#contract/fields.ts';
import { followUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { lead, leadNotes } from '#contract/leads/lead.ts';
import { ownValueChanges } from '#contract/leads/own-fields/own-field.ts';
import { phone } from '#contract/leads/phone.ts';
import { MAX_WEBSITE_LENGTH, parseWebsite } from '#contract/leads/website.ts';
import { postcode } from './postcode.ts';

export const website = z
  .string()
  .max(MAX_WEBSITE_LENGTH, 'Website is too long')
  .transform((typed, context) => {
    const parsed = parseWebsite(typed);
    if (parsed !== undefined) return parsed ?? '';
    context.addIssue({ code: 'custom', message: 'Please enter a valid website address' });
    return z.NEVER;
  });

/** A business as a person types it; only the name is needed. */
export const newBusiness = z.strictObject({
  name: line(200, 'Name', 'Please enter the name').min(1, 'Please enter the name'),
  businessType: line(200, 'Type of business').default(''),
  phone: phone.default(''),
  postcode: postcode.default(''),
  /** Where the person stands who adds it. */
  position: z
    .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .optional(),
  website: website.default(''),
  contactPerson: line(200, 'Contact person').default(''),
  notes: leadNotes.trim().default(''),
  /** Of the team's own fields, by their ids. */
  ownFields: ownValueChanges.optional(),
  followUp: followUpPlan.optional(),
  /** The viewer, where it is left out. */
  holderId: bodyId('Please select a user').optional(),
});
export type NewBusiness = z.output<typeof newBusiness>;

export const addLead = call({
  method: 'POST',
  path: '/api/leads',
  access: 'user',
  summary: 'Adds a business by hand, as a lead of the viewer or, by an administrator, of anyone.',
  body: newBusiness,
  response: lead,
  success: 201,
  sentLater: true,
  programs: 'unfenced',
});

export const takeLead = call({
  method: 'POST',
  path: '/api/leads/take',
  access: 'user',
  summary: 'Assigns a business without a lead to the viewer.',
  body: z.strictObject({ businessId: bodyId() }),
  response: lead,
  success: 201,
  idempotent: true,
  programs: 'unfenced',
});

/** More than these are found by a search of the district. */
export const MAX_UNASSIGNED = 20;

const unassignedBusiness = z.strictObject({
  id: z.number(),
  name: z.string(),
  formattedAddress: z.string().nullable(),
  type: z.string().nullable(),
});

export const listUnassigned = call({
  method: 'GET',
  path: '/api/coverage/unassigned',
  access: 'user',
  summary: 'The businesses of a district that searches have found and that are not assigned, by name.',
  query: z.object({
    district: z.literal('').or(district).default(''),
    type: z
      .string()
      .optional()
      .transform((value) => value || undefined)
      .refine((value) => value === undefined || isBusinessType(value), 'must be a business type of the search'),
  }),
  response: z.strictObject({ businesses: z.array(unassignedBusiness).max(MAX_UNASSIGNED), hasMore: z.boolean() }),
  programs: 'unfenced',
});

/** More than these are not shown. */
export const MAX_LOOK_ALIKES = 5;

const lookAlike = z.strictObject({
  businessId: z.number(),
  name: z.string(),
  town: z.string().nullable(),
  /** The names of its holders; empty where it is not assigned. */
  holders: z.array(z.string()),
  /** Of the lead on it that the viewer may see. */
  leadUuid: z.uuid().nullable(),
});
export type LookAlike = z.infer<typeof lookAlike>;

export const listLookAlikes = call({
  method: 'GET',
  path: '/api/leads/look-alikes',
  access: 'user',
  summary: 'The businesses that may be the one that is being typed, and who works them.',
  query: z.object({
    name: line(200, 'Name').default(''),
    phone: z.string().max(40).default(''),
    postcode: z.string().max(20).default(''),
  }),
  response: z.array(lookAlike).max(MAX_LOOK_ALIKES),
  showsLeads: 'derived',
  programs: 'unfenced',
});
