import { z } from 'zod';
import { objectionFact } from '../contact-rules/objection.ts';
import { bodyId, line, moment, text } from '../fields.ts';
import { DETAIL_KEYS, mapDetails } from './fields/detail-fields.ts';
import { READ_ONLY_SHAPE } from './fields/read-only-fields.ts';
import { ownValues } from './own-fields/own-field.ts';
import { MAX_NOTES } from './split-notes.ts';

export const leadStatus = z.enum([
  'new',
  'in_progress',
  'recontact',
  'closed_won',
  'closed_lost',
  'qualified',
  'proposal',
  'negotiation',
]);
export type LeadStatus = z.infer<typeof leadStatus>;

// Record, so that a ninth status without a label does not compile.
export const LEAD_STATUS_LABEL: Record<LeadStatus, string> = {
  new: 'New',
  in_progress: 'In Progress',
  recontact: 'Recontact',
  closed_won: 'Closed (Won)',
  closed_lost: 'Closed (Lost)',
  qualified: 'Qualified',
  proposal: 'Proposal',
  negotiation: 'Negotiation',
};

/** The statuses with a button; the other three are only in the bulk menu. */
export const MAIN_STATUSES: readonly LeadStatus[] = ['new', 'in_progress', 'recontact', 'closed_won', 'closed_lost'];

/** The order of the pipeline: of the list sorted by status, and of the columns of the board. */
export const PIPELINE: readonly LeadStatus[] = [
  'new',
  'in_progress',
  'qualified',
  'proposal',
  'negotiation',
  'recontact',
  'closed_won',
  'closed_lost',
];

const CONTACTED: readonly LeadStatus[] = ['in_progress', 'recontact', 'closed_won', 'closed_lost'];
const CLOSED: readonly LeadStatus[] = ['closed_won', 'closed_lost'];

/** The statuses that count toward the holder's goal, the first time a lead gets one of them. */
export const isContacted = (status: LeadStatus) => CONTACTED.includes(status);
export const isClosed = (status: LeadStatus) => CLOSED.includes(status);

/** On every imported lead; users can neither add nor remove it. */
export const IMPORTED_TAG = 'Imported';
export const MAX_TAGS = 30;
export const MAX_TAG_LENGTH = 50;

const compact = (tag: string) => tag.replace(/\s+/g, '').toLowerCase();

/** "Imported" in any case or spacing. */
export const isReservedTag = (tag: string) => compact(tag) === compact(IMPORTED_TAG);

export const tag = line(MAX_TAG_LENGTH, 'Tag')
  .min(1, 'Tag must not be empty')
  // URL parsers resolve these as path segments, so such a tag could not be removed.
  .refine((value) => value !== '.' && value !== '..', 'Tag must not be only dots')
  // The separator of tags in filters and files.
  .refine((value) => !value.includes(','), 'Tag must not contain a comma');

export const leadNotes = text(MAX_NOTES, 'Notes');
export const reassignment = z.object({
  newUserId: bodyId('Please select a user to reassign to'),
  notes: text(1_000, 'Notes').trim().nullish(),
});

/** Only the fields that are sent change; an empty string clears one. */
export const customFields = z.strictObject(mapDetails(({ schema }) => schema.optional()));
export type CustomFields = z.output<typeof customFields>;

export const activityType = z.enum(['call', 'email', 'meeting', 'note']);
export type ActivityType = z.infer<typeof activityType>;

export const ACTIVITY_TYPE_LABEL: Record<ActivityType, string> = {
  call: 'Call',
  email: 'Email',
  meeting: 'Meeting',
  note: 'Note',
};

/** Whether the activity is a contact with the business; a note is not. */
export const isContact = (type: ActivityType) => type !== 'note';

export const activity = z.strictObject({
  id: z.number(),
  userBusinessId: z.number(),
  type: activityType,
  description: z.string(),
  scheduledAt: moment.nullable(),
  completedAt: moment.nullable(),
  outcome: z.string().nullable(),
  createdBy: z.number().nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type Activity = z.infer<typeof activity>;

/** A lead as the API returns it: a business held by a user. */
export const lead = z.strictObject({
  id: z.number(),
  uuid: z.uuid(),
  userId: z.number(),
  businessId: z.number(),
  status: leadStatus,
  viewed: z.boolean(),
  archived: z.boolean(),
  archivedAt: moment.nullable(),
  existingCustomer: z.boolean(),
  existingCustomerAt: moment.nullable(),
  ...READ_ONLY_SHAPE,
  /** When the planned follow-up is due, and what it is. */
  nextStepAt: moment.nullable(),
  nextStepType: activityType.nullable(),
  notes: z.string(),
  notesVersion: z.number(),
  tags: z.array(z.string()),
  customFields: z.partialRecord(z.enum(DETAIL_KEYS), z.string()),
  /** Of the team's own fields, by their ids. */
  ownFields: ownValues,
  createdAt: moment,
  updatedAt: moment,
});
export type Lead = z.infer<typeof lead>;

export const leadBusiness = z.strictObject({
  id: z.number(),
  placeId: z.string(),
  name: z.string(),
  formattedAddress: z.string().nullable(),
  phone: z.string().nullable(),
  /** A contact found that the phone is not the business's; false again for another number. */
  phoneIsWrong: z.boolean(),
  website: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Whether the position is that of the postcode's district. */
  positionApproximate: z.boolean(),
  googleMapsUrl: z.string().nullable(),
  /** A type of the search, by its label. */
  type: z.string().nullable(),
  /** Whether only words of the name say so. */
  typeGuessed: z.boolean(),
  /** Those that stand, on its number, on itself, and on the e-mail address of the lead it is shown with. */
  objections: z.array(objectionFact),
});
export type LeadBusiness = z.infer<typeof leadBusiness>;

export const leadHolder = z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() });

/** An item of every list. */
export const leadItem = z.strictObject({ business: leadBusiness, userBusiness: lead, user: leadHolder });
export type LeadItem = z.infer<typeof leadItem>;

export const leadProfile = z.strictObject({
  business: leadBusiness,
  userBusiness: z.strictObject({ ...lead.shape, contactActivities: z.array(activity) }),
  user: leadHolder,
});
export type LeadProfile = z.infer<typeof leadProfile>;

const userName = z.strictObject({ username: z.string() });

/** One change of holder. A user whose account was deleted is called DELETED_USER. */
export const assignment = z.strictObject({
  history: z.strictObject({ id: z.number(), createdAt: moment, notes: z.string().nullable() }),
  previousUser: userName.optional(),
  newUser: userName,
  changedBy: userName,
});
export type Assignment = z.infer<typeof assignment>;

export const DELETED_USER = 'deleted user';
