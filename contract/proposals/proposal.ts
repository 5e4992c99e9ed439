import { z } from 'zod';
import { bodyId, moment, text } from '../fields.ts';
import { ownFieldChange } from '../leads/bulk/bulk-job.ts';
import { DETAIL_FIELDS } from '../leads/fields/detail-fields.ts';
import { followUpPlan } from '../leads/follow-ups/follow-up.ts';
import { activityType, leadStatus, tag } from '../leads/lead.ts';
import { phone } from '../leads/phone.ts';
import { MAX_ACTIVITY_NOTES } from '../leads/split-notes.ts';
import { MAX_WEBSITE_LENGTH } from '../leads/website.ts';

export const MAX_PROPOSED_CHANGES = 50;
/** Of one user, waiting for a decision. */
export const MAX_OPEN_PROPOSALS = 20;
/** For how long a proposal waits. */
export const PROPOSAL_DAYS = 7;

/** The uuid of the lead. */
const lead = z.uuid();

/** One change of one lead, as a program proposes it. */
export const proposedChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), lead, status: leadStatus }),
  z.strictObject({
    kind: z.literal('activity'),
    lead,
    type: activityType,
    text: text(MAX_ACTIVITY_NOTES, 'Text').trim().min(1, 'Please enter a text'),
  }),
  z.strictObject({ kind: z.literal('next_step'), lead, ...followUpPlan.shape }),
  z.strictObject({ kind: z.literal('add_tag'), lead, tag }),
  z.strictObject({ kind: z.literal('remove_tag'), lead, tag }),
  z.strictObject({ kind: z.literal('own_field'), lead, ...ownFieldChange }),
  z.strictObject({ kind: z.literal('email'), lead, value: DETAIL_FIELDS.email.schema }),
  z.strictObject({ kind: z.literal('contactPerson'), lead, value: DETAIL_FIELDS.contactPerson.schema }),
  z.strictObject({ kind: z.literal('value'), lead, value: DETAIL_FIELDS.value.schema }),
  z.strictObject({ kind: z.literal('phone'), lead, phone }),
  z.strictObject({
    kind: z.literal('website'),
    lead,
    website: z.string().max(MAX_WEBSITE_LENGTH, 'Website is too long'),
  }),
  z.strictObject({ kind: z.literal('assign'), lead, userId: bodyId('Please select a user') }),
]);
export type ProposedChange = z.output<typeof proposedChange>;

export const newProposal = z.object({
  /** Why, in the words of the program. */
  reason: text(1_000, 'Reason').trim().default(''),
  changes: z
    .array(proposedChange)
    .min(1, 'Please propose at least one change')
    .max(MAX_PROPOSED_CHANGES, `At most ${MAX_PROPOSED_CHANGES} changes at once`),
});

/**
 * `conflict`: the lead was changed since it was proposed, or the change is not possible any more; such a change is never
 * made.
 */
export const proposedState = z.enum(['open', 'conflict', 'accepted', 'declined']);
export type ProposedState = z.infer<typeof proposedState>;

const shownProposedChange = z.strictObject({
  id: z.number(),
  /** What changes, in the words of the screens. */
  label: z.string(),
  /** Null: none. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  state: proposedState,
  /** Why it cannot be made. */
  problem: z.string().nullable(),
});
export type ShownProposedChange = z.infer<typeof shownProposedChange>;

const proposedLead = z.strictObject({
  uuid: z.uuid(),
  name: z.string(),
  changes: z.array(shownProposedChange),
});
export type ProposedLead = z.infer<typeof proposedLead>;

export const proposal = z.strictObject({
  id: z.uuid(),
  /** The name of the program that proposes it. */
  program: z.string(),
  reason: z.string(),
  createdAt: moment,
  expiresAt: moment,
  state: z.enum(['open', 'decided', 'expired']),
  decidedAt: moment.nullable(),
  /** In the order of their names. Deleted leads are gone from it. */
  leads: z.array(proposedLead),
});
export type Proposal = z.infer<typeof proposal>;
