import { z } from 'zod';
import { moment } from '#contract/fields.ts';
import { activityType } from '#contract/leads/lead.ts';
import { leadCall } from '#contract/leads/lead-call.ts';
import { afterOf } from '../../cursor.ts';
import { changeSource, shownChange } from '../fields/logged-change.ts';

export const TIMELINE_PAGE = 50;

export const timelineFilter = z.enum(['all', 'contacts', 'changes']);
export type TimelineFilter = z.infer<typeof timelineFilter>;

const common = {
  /** Unique among all entries of a lead. */
  id: z.string(),
  at: moment,
  /** The name of the user who did it; DELETED_USER once the account is deleted, null where it is not known. */
  user: z.string().nullable(),
  /** The name of the program through which they did it. */
  program: z.string().optional(),
};

const timelineEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('activity'),
    type: activityType,
    outcome: z.string().nullable(),
    description: z.string(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('change'),
    change: shownChange,
    source: changeSource,
    /** Whether the change took another one back. */
    undo: z.boolean(),
    /** Whether it is a follow-up that was done. */
    done: z.boolean(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('assignment'),
    /** Null for the first holder. */
    previous: z.string().nullable(),
    next: z.string(),
    /** Whether an import created the lead. */
    imported: z.boolean(),
    notes: z.string().nullable(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('comment'),
    commentId: z.number(),
    /** Null once the account is deleted. */
    createdBy: z.number().nullable(),
    text: z.string(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('credit'),
    /** The user toward whose goal the contact counts. */
    holder: z.string(),
    /** False while the lead is marked as an existing customer. */
    counted: z.boolean(),
  }),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** The moment and the id where the page begins in one of the six sources; empty where nothing is left of it. */
const POSITION = '([0-9]{1,13}-[0-9]{1,15})?';

export const getTimeline = leadCall({
  method: 'GET',
  resource: 'business-timeline',
  summary: 'What happened to a lead, newest first: its contacts, its changes, or all, with the comments.',
  query: z.object({
    show: timelineFilter.default('all'),
    ...afterOf(z.string().regex(new RegExp(`^${POSITION}(\\.${POSITION}){5}$`), 'must be the next of a page')),
  }),
  response: z.strictObject({ items: z.array(timelineEntry), next: z.string().nullable() }),
  programs: 'all',
});
