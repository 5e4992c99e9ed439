import type { DetailKey } from '#contract/leads/fields/detail-fields.ts';
import type { LoggedBusinessField, LoggedLeadField } from '#contract/leads/fields/lead-fields.ts';
import type { ActivityType, LeadStatus } from '#contract/leads/lead.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import type { contactActivities } from '#server/schema/leads.ts';

/** The value of each field in the change log, before and after a change; null where there is none. A detail is its text. */
export interface ChangeValues extends Record<DetailKey, string> {
  /** A lead that was created, with its holder. */
  lead: { userId: number };
  status: LeadStatus;
  archived: Marked;
  existingCustomer: Marked;
  holder: { userId: number; assignedAt: string; viewed: boolean };
  /** The tag itself, which is also the item. */
  tag: string;
  /** Of a field of the team's own, whose id is the item. */
  ownField: OwnValue;
  /** The version of the notes; the text is in the notes' revisions. */
  notes: number;
  followUp: StoredFollowUp;
  /** An activity, whose id is also the item. `row` restores one that was deleted. */
  activity: { id: number; row?: StoredActivity };
  credit: { userId: number; creditedAt: string; counted: boolean };
  phone: TypedText;
  wrongPhone: string;
  website: TypedText;
  town: string;
  type: { label: string | null; guessed: boolean };
  /** The names of the businesses that were merged into this one. */
  merge: { names: string[] };
}

export type StoredActivity = Omit<
  typeof contactActivities.$inferSelect,
  'id' | 'userBusinessId' | 'updatedAt' | 'remindedAt'
>;

export const toStoredActivity = ({
  id: _,
  userBusinessId: __,
  updatedAt: ___,
  remindedAt: ____,
  ...stored
}: typeof contactActivities.$inferSelect): StoredActivity => stored;

/** When a lead was archived or marked; false while it is not, and true where the moment was not recorded. */
export type Marked = string | boolean;

export interface StoredFollowUp {
  id: number;
  type: ActivityType;
  at: string;
  note: string;
  createdBy: number | null;
  /** The name of the program through which it was planned. */
  program?: string | null;
  createdAt: string;
}

/** A phone number or website, and whether a user typed it. */
interface TypedText {
  text: string | null;
  typed: boolean;
}

/** What is recorded of a business, and what of a lead. */
export type BusinessField = LoggedBusinessField | 'merge';
export type LeadField = LoggedLeadField | 'lead' | 'activity' | 'credit';
