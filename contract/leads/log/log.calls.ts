import { z } from 'zod';
import { objectionChannel } from '#contract/contact-rules/objection.ts';
import { text } from '#contract/fields.ts';
import { followUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { activity, activityType, lead } from '#contract/leads/lead.ts';
import { leadCall } from '#contract/leads/lead-call.ts';
import { MAX_ACTIVITY_NOTES } from '#contract/leads/split-notes.ts';
import { activityOutcome, OUTCOME } from './outcomes.ts';

const contactLog = z
  .object({
    /** That of the outcome, unless the contact was of another kind. */
    type: activityType.optional(),
    outcome: activityOutcome,
    note: text(MAX_ACTIVITY_NOTES, 'Note').trim().default(''),
    next: followUpPlan.optional(),
    /** What was objected to in this contact. It is recorded for good: undoing the contact does not take it back. */
    objection: objectionChannel.optional(),
  })
  .refine(({ outcome, next }) => outcome !== 'call_back' || next, {
    path: ['next'],
    message: 'Please choose when to call back',
  })
  .refine(({ outcome, next }) => outcome !== 'not_interested' || !next, {
    path: ['next'],
    message: 'A business that is not interested gets no next step',
  })
  .transform(({ type, ...contact }) => ({ ...contact, type: type ?? OUTCOME[contact.outcome].type }));

export const logContact = leadCall({
  method: 'POST',
  resource: 'business-log',
  summary:
    'Logs a contact with its outcome, which decides the status. An open follow-up becomes this contact; the next one is planned if there is to be one.',
  body: contactLog,
  response: z.strictObject({ activity, userBusiness: lead }),
  success: 201,
  sentLater: true,
  programs: 'all',
});
