import { z } from 'zod';
import { call } from '#contract/call.ts';
import { moment, pathId, text } from '#contract/fields.ts';
import { lead } from '#contract/leads/lead.ts';
import { leadCall } from '#contract/leads/lead-call.ts';
import { activityOutcome } from '#contract/leads/log/outcomes.ts';
import { MAX_ACTIVITY_NOTES } from '#contract/leads/split-notes.ts';
import { followUp, followUpPlan } from './follow-up.ts';

export const getFollowUp = leadCall({
  method: 'GET',
  resource: 'business-follow-up',
  summary: 'The next step of a lead.',
  response: z.strictObject({ followUp: followUp.nullable() }),
  programs: 'all',
});

export const planFollowUp = leadCall({
  method: 'PUT',
  resource: 'business-follow-up',
  summary:
    'Plans the next step of a lead, or changes the one that is planned. Refused when the planned one is no longer at the time in `before`.',
  body: followUpPlan.extend({
    /** When the next step was due that the client showed; null for none. */
    before: moment.nullable().optional(),
  }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

const params = z.object({ followUpId: pathId });

export const completeFollowUp = call({
  method: 'POST',
  path: '/api/follow-ups/:followUpId/complete',
  access: 'user',
  summary:
    'Completes a follow-up, which becomes an activity of its lead, and plans the next one if there is to be one.',
  params,
  body: z.object({
    outcome: activityOutcome.optional(),
    note: text(MAX_ACTIVITY_NOTES, 'Note').trim().default(''),
    next: followUpPlan.optional(),
  }),
  response: lead,
  sentLater: true,
  programs: 'all',
});

export const dropFollowUp = call({
  method: 'DELETE',
  path: '/api/follow-ups/:followUpId',
  access: 'user',
  summary: 'Deletes a follow-up that is not completed.',
  params,
  response: lead,
  sentLater: true,
  programs: 'all',
});
