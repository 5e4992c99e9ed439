import { z } from 'zod';
import { objection, objectionChannel, objectionWords } from '#contract/contact-rules/objection.ts';
import { leadCall } from '#contract/leads/lead-call.ts';

export const listLeadObjections = leadCall({
  method: 'GET',
  resource: 'business-objections',
  summary: 'The objections on the number, the e-mail address and the business of a lead, those that stand first.',
  response: z.strictObject({ objections: z.array(objection) }),
  programs: 'all',
});

export const recordLeadObjection = leadCall({
  method: 'POST',
  resource: 'business-objections',
  summary:
    'Records that a business does not want to be contacted in this way: on its number, its e-mail address and the business itself, as far as each is concerned. It stays when the lead is deleted, merged, imported again or given to another user.',
  body: z.object({ channel: objectionChannel, words: objectionWords.default('') }),
  response: z.strictObject({ objections: z.array(objection) }),
  success: 201,
  programs: 'all',
});
