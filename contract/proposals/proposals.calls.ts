import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import { MAX_PROPOSED_CHANGES, newProposal, proposal } from './proposal.ts';

export const createProposal = call({
  method: 'POST',
  path: '/api/proposals',
  access: 'user',
  summary:
    'Proposes changes of leads to the user of the token, who accepts or declines each. Nothing changes until then. The same proposal, while it is open, is made once. For programs only.',
  body: newProposal,
  response: z.strictObject({
    id: z.uuid(),
    expiresAt: moment,
    /** How many changes wait, and of how many leads. */
    changes: z.number(),
    leads: z.number(),
  }),
  success: 201,
  programs: 'all',
});

export const listProposals = call({
  method: 'GET',
  path: '/api/proposals',
  access: 'user',
  summary:
    'What programs propose to the viewer, the newest first: what is open, and what was decided or expired within the last weeks.',
  response: z.array(proposal),
  showsLeads: 'list',
});

export const decideProposal = call({
  method: 'POST',
  path: '/api/proposals/:proposalId/decision',
  access: 'user',
  summary:
    'Makes the accepted changes of a proposal as one batch of changes, and declines the others. A lead that was changed since is left as it is.',
  params: z.object({ proposalId: z.uuid() }),
  body: z.object({
    /** The ids of the changes to make; empty to decline all. */
    accept: z.array(z.number().int()).max(MAX_PROPOSED_CHANGES),
  }),
  response: z.strictObject({
    message: z.string(),
    accepted: z.number(),
    /** Accepted, but not possible any more. */
    conflicts: z.number(),
    proposal,
  }),
});
