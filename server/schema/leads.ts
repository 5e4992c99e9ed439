import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, integer, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import type { ActivityType, LeadStatus } from '#contract/leads/lead.ts';
import type { OwnValues } from '#contract/leads/own-fields/own-field.ts';
import { id, moment, now, textList, tsvector } from '#server/kit/db/columns.ts';

export const businesses = pgTable('businesses', {
  id: id(),
  placeId: text().notNull(),
  name: text().notNull(),
  formattedAddress: text(),
  vicinity: text(),
  town: text(),
  phone: text(),
  internationalPhone: text(),
  website: text(),
  /** The number that was found to be wrong; the phone is wrong while it equals this. */
  wrongPhone: text(),
  phoneTyped: boolean().notNull().default(false),
  websiteTyped: boolean().notNull().default(false),
  googleMapsUrl: text(),
  rating: real(),
  userRatingsTotal: integer(),
  priceLevel: integer(),
  businessStatus: text(),
  types: textList(),
  /** The label of a type of the search. */
  type: text(),
  /** Guessed, or not known yet: a source that knows the type replaces it. */
  typeGuessed: boolean().notNull().default(true),
  openNow: boolean(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  /** Whether the position is that of the postcode's district. */
  positionApproximate: boolean().notNull().default(false),
  photoReferences: jsonb().$type<string[]>().notNull().default([]),
  icon: text(),
  ownerName: text(),
  imported: boolean().notNull().default(false),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** The business that this one was merged into. */
  mergedInto: integer(),
  district: text().generatedAlwaysAs(sql`postcode_district(formatted_address)`),
});

/** A lead: a business held by a user. The API calls it userBusiness, the database user_businesses. */
export const leads = pgTable('user_businesses', {
  id: id(),
  uuid: uuid().notNull().defaultRandom(),
  userId: integer().notNull(),
  businessId: integer().notNull(),
  status: text().$type<LeadStatus>().notNull().default('new'),
  viewed: boolean().notNull().default(false),
  archived: boolean().notNull().default(false),
  archivedAt: moment(),
  existingCustomer: boolean().notNull().default(false),
  existingCustomerAt: moment(),
  assignedAt: moment().notNull().default(now),
  lastContactedAt: moment(),
  nextStepAt: moment(),
  nextStepType: text().$type<ActivityType>(),
  creditedAt: moment(),
  notes: text().notNull().default(''),
  notesVersion: integer().notNull().default(0),
  tags: textList(),
  customFields: jsonb().$type<Details>().notNull().default({}),
  ownFields: jsonb().$type<OwnValues>().notNull().default({}),
  /** How the lead came to the team. */
  source: jsonb().$type<LeadOrigin>(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** Copies of the business's columns, kept equal by triggers: an index can only contain columns of its own table. */
  businessName: text().notNull().default(''),
  town: text(),
  district: text(),
  businessType: text(),
  hasPhone: boolean().notNull().default(false),
  hasWebsite: boolean().notNull().default(false),
  hasEmail: boolean().notNull().generatedAlwaysAs(sql`coalesce(custom_fields ->> 'email', '') <> ''`),
  imported: boolean().notNull().generatedAlwaysAs(sql`tags @> array['Imported']`),
  searchName: text().notNull().generatedAlwaysAs(sql`search_text(business_name)`),
  searchTown: text().generatedAlwaysAs(sql`search_text(town)`),
  /** What the lead is found by, folded by triggers: three lines of words. */
  findText: text().notNull().default(''),
  noteWords: tsvector(),
});

/** Every tag that some lead has or had; a trigger adds new ones. */

/** What leads are found by after a typing error. Written by triggers. */
export const findWords = pgTable('find_words', { word: text().primaryKey() });

export const leadTags = pgTable('lead_tags', { name: text().primaryKey() });

export const leadNoteRevisions = pgTable('lead_note_revisions', {
  id: id(),
  userBusinessId: integer().notNull(),
  notes: text().notNull(),
  notesVersion: integer().notNull(),
  replacedBy: integer(),
  replacedAt: moment().notNull().default(now),
});

export const contactActivities = pgTable('contact_activities', {
  id: id(),
  userBusinessId: integer().notNull(),
  type: text().$type<ActivityType>().notNull(),
  description: text().notNull(),
  scheduledAt: moment(),
  completedAt: moment(),
  outcome: text(),
  createdBy: integer(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** When the holder was reminded of an open follow-up. */
  remindedAt: moment(),
  /** The name of the program through which its author added it. */
  program: text(),
});

export const leadComments = pgTable('lead_comments', {
  id: id(),
  userBusinessId: integer().notNull(),
  text: text().notNull(),
  createdBy: integer(),
  program: text(),
  createdAt: moment().notNull().default(now),
});

export const contactCredits = pgTable('contact_credits', {
  leadId: integer().primaryKey(),
  userId: integer().notNull(),
  creditedAt: moment().notNull(),
  counted: boolean().notNull().default(true),
});

export const assignmentHistory = pgTable('assignment_history', {
  id: id(),
  userBusinessId: integer().notNull(),
  previousUserId: integer(),
  newUserId: integer(),
  changedBy: integer(),
  program: text(),
  changedAt: moment().notNull().default(now),
  notes: text(),
  initial: boolean().notNull().default(false),
});
