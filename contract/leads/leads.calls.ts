import { z } from 'zod';
import { isBusinessType } from '../business-types/business-types.ts';
import { call } from '../call.ts';
import { bodyId, pathId, text } from '../fields.ts';
import {
  activity,
  activityType,
  assignment,
  customFields,
  lead,
  leadBusiness,
  leadNotes,
  leadProfile,
  leadStatus,
  MAX_TAGS,
  reassignment,
  tag,
} from './lead.ts';
import { leadCall } from './lead-call.ts';
import { ownValueChanges } from './own-fields/own-field.ts';
import { phone } from './phone.ts';
import { MAX_ACTIVITY_NOTES } from './split-notes.ts';
import { MAX_WEBSITE_LENGTH } from './website.ts';

export const getLead = leadCall({
  method: 'GET',
  resource: 'business-profile',
  summary: 'One lead with its business, its holder and its activities.',
  response: leadProfile,
  programs: 'all',
});

export const getAssignmentHistory = leadCall({
  method: 'GET',
  resource: 'assignment-history',
  summary: 'The holders of a lead, newest first.',
  response: z.array(assignment),
  programs: 'all',
});

export const markViewedInList = leadCall({
  method: 'POST',
  resource: 'business-view',
  summary: 'Marks a lead as viewed, from the list.',
  response: lead,
});

export const markViewedOnProfile = leadCall({
  method: 'PATCH',
  resource: 'business-viewed',
  summary: 'Marks a lead as viewed, from its profile.',
  response: lead,
});

export const changeLeadStatus = leadCall({
  method: 'PATCH',
  resource: 'business-status',
  summary:
    'Moves a lead to a status; the first contacted one earns its holder a credit. Refused when its status is no longer the one in `before`.',
  body: z.object({
    status: leadStatus,
    /** The status that the client showed. */
    before: leadStatus.optional(),
  }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const changeCustomFields = leadCall({
  method: 'PATCH',
  resource: 'business-custom-fields',
  summary:
    'Changes details of a lead, such as e-mail, contact person and value; fields that are not sent stay. Refused when one is no longer as in `before`.',
  body: z.object({
    customFields,
    /** The texts that the client showed. */
    before: customFields.optional(),
  }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const changeOwnValues = leadCall({
  method: 'PATCH',
  resource: 'business-own-fields',
  summary:
    "Sets or clears values of the team's own fields; fields that are not sent stay. Refused when a value is no longer the one in `before`.",
  body: z.object({
    values: ownValueChanges,
    /** The values that the client showed. */
    before: ownValueChanges.optional(),
  }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const changeLeadNotes = leadCall({
  method: 'PATCH',
  resource: 'business-notes',
  summary: 'Replaces the notes of a lead; refused when notesVersion is not the current version.',
  body: z.object({ notes: leadNotes, notesVersion: z.number().int().min(0).optional() }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const addActivity = leadCall({
  method: 'POST',
  resource: 'contact-activity',
  summary: 'Adds an activity to a lead.',
  body: z.object({
    type: activityType,
    notes: text(MAX_ACTIVITY_NOTES, 'Notes').trim().min(1, 'Please enter notes for this activity'),
  }),
  response: activity,
  success: 201,
  sentLater: true,
  programs: 'all',
});

export const deleteActivity = call({
  method: 'DELETE',
  path: '/api/contact-activity/:activityId',
  access: 'user',
  summary: 'Deletes an activity, and recomputes the last contact. Can be undone for 30 days.',
  params: z.object({ activityId: pathId }),
  response: lead,
  programs: 'all',
});

export const addTag = leadCall({
  method: 'POST',
  resource: 'business-tag',
  summary: 'Adds a tag to a lead.',
  body: z.object({ tag }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const removeTag = leadCall({
  method: 'DELETE',
  resource: 'business-tag',
  suffix: '/:tag',
  extraParams: { tag: z.string() },
  summary: 'Removes a tag from a lead.',
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const reassignLead = leadCall({
  method: 'POST',
  resource: 'reassign-business',
  summary: 'Reassigns a lead to another user.',
  body: reassignment,
  response: lead,
  idempotent: true,
  programs: 'all',
});

const leadAction = (action: string, summary: string) =>
  leadCall({ method: 'POST', action, summary, response: lead, programs: 'all' });

/** An action after which a planned follow-up may have no purpose. */
const closingAction = (action: string, summary: string) =>
  leadCall({
    method: 'POST',
    action,
    summary,
    body: z.object({ dropFollowUp: z.boolean().default(false) }),
    response: lead,
    programs: 'all',
  });

export const archiveLead = closingAction('archive', 'Moves a lead to the archive; its follow-up stays unless dropped.');
export const restoreLead = leadAction('restore', 'Restores a lead from the archive.');
export const markExistingCustomer = closingAction(
  'mark-existing-customer',
  'Marks a lead as an existing customer, which removes it from lists and counts; its follow-up stays unless dropped.',
);
export const unmarkExistingCustomer = leadAction('unmark-existing-customer', 'Removes the existing-customer mark.');

export const deleteLead = leadCall({
  method: 'DELETE',
  action: 'delete',
  summary: 'Deletes a lead with its activities, notes and history.',
  response: z.object({ message: z.string() }),
  programs: 'all',
});

const websiteText = z.string().max(MAX_WEBSITE_LENGTH, 'Website is too long');
const website = z.object({
  website: websiteText,
  /** The website that the client showed; empty for none. */
  before: websiteText.optional(),
});

export const changeWebsite = call({
  method: 'PATCH',
  path: '/api/business/:businessId/update-website',
  access: 'user',
  summary: "Changes a business's website, by business id. Refused when it is no longer the one in `before`.",
  params: z.object({ businessId: pathId }),
  body: website,
  response: leadBusiness,
  sentLater: true,
  programs: 'unfenced',
});

export const changeWebsiteByPlace = call({
  method: 'PATCH',
  path: '/api/business-by-place-id/:placeId/update-website',
  access: 'user',
  summary: "Changes a business's website, by place id.",
  params: z.object({ placeId: z.string().min(1).max(500) }),
  body: website,
  response: leadBusiness,
  programs: 'unfenced',
});

export const changePhone = call({
  method: 'PATCH',
  path: '/api/business/:businessId/update-phone',
  access: 'user',
  summary: "Changes a business's phone number, by business id. Refused when it is no longer the one in `before`.",
  params: z.object({ businessId: pathId }),
  body: z.object({
    phone,
    /** The number that the client showed; empty for none. */
    before: z.string().max(200).optional(),
  }),
  response: leadBusiness,
  sentLater: true,
  programs: 'unfenced',
});

export const confirmPhone = call({
  method: 'PATCH',
  path: '/api/business/:businessId/confirm-phone',
  access: 'user',
  summary: "Removes the mark that a business's phone number is wrong, by business id.",
  params: z.object({ businessId: pathId }),
  response: leadBusiness,
  sentLater: true,
  programs: 'unfenced',
});

export const changeBusinessType = call({
  method: 'PATCH',
  path: '/api/business/:businessId/update-type',
  access: 'user',
  summary:
    "Sets a business's type, by business id; null where none of the types fits. No search or import replaces it.",
  params: z.object({ businessId: pathId }),
  body: z.object({ type: z.string().refine(isBusinessType, 'Please choose one of the types of business').nullable() }),
  response: leadBusiness,
  programs: 'unfenced',
  example: { type: 'Bakery' },
});

export const listUsersForReassignment = call({
  method: 'GET',
  path: '/api/users-for-reassignment',
  access: 'user',
  summary: 'The users whom a lead can be reassigned to.',
  response: z.array(
    z.strictObject({
      id: z.number(),
      fullName: z.string(),
      username: z.string(),
      role: z.enum(['admin', 'manager', 'user']),
    }),
  ),
  programs: 'all',
});

export const assignBusiness = call({
  method: 'POST',
  path: '/api/assign-business',
  access: 'admin',
  summary: 'Assigns a business to a user as a lead.',
  body: z.object({
    userId: bodyId('Please select a user'),
    businessId: bodyId(),
    // A malformed or used uuid is replaced, not refused.
    uuid: z.unknown().optional(),
    status: leadStatus.default('new'),
    viewed: z.boolean().default(false),
    archived: z.boolean().default(false),
    tags: z
      .array(tag)
      .max(MAX_TAGS)
      .nullish()
      .transform((tags) => tags ?? []),
    notes: leadNotes.nullish(),
    customFields: customFields.nullish(),
    /** The same for all assignments of one action: their holder gets one notification of them. */
    batch: z.uuid().optional(),
  }),
  response: lead,
  success: 201,
  idempotent: true,
  programs: 'unfenced',
});
