import { z } from 'zod';
import { call } from '#contract/call.ts';
import { MAX_ID } from '#contract/fields.ts';
import { followUp } from '#contract/leads/follow-ups/follow-up.ts';
import { leadProfile } from '#contract/leads/lead.ts';

/** How many leads a device keeps for its user. */
export const MAX_POCKET_LEADS = 500;

/** How many of their activities, the newest. */
export const MAX_POCKET_ACTIVITIES = 10;

/** How many leads one call reads. */
export const POCKET_CHUNK = 50;

const name = { id: z.number(), uuid: z.uuid() };

export const getPocket = call({
  method: 'GET',
  path: '/api/pocket',
  access: 'user',
  summary:
    "Which of the viewer's own open leads a device keeps for work without a network, with a version that changes whenever the lead does: stops of the trip first, then what is planned next, then the latest changed. Send the ETag of the last answer as If-None-Match: 304 while nothing has changed.",
  response: z.strictObject({ leads: z.array(z.strictObject({ ...name, version: z.string() })) }),
  polled: true,
});

/** Ids with commas between them. */
const ids = z
  .string()
  .regex(/^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*$/, 'must be ids of leads, with commas between them')
  .transform((list) => list.split(',').map(Number))
  .refine((list) => list.length <= POCKET_CHUNK, `must be at most ${POCKET_CHUNK} leads`)
  .refine((list) => list.every((id) => id <= MAX_ID), 'an id is too large');

const pocketLead = z.strictObject({ profile: leadProfile, followUp: followUp.nullable() });
export type PocketLead = z.infer<typeof pocketLead>;

export const getPocketLeads = call({
  method: 'GET',
  path: '/api/pocket/leads',
  access: 'user',
  summary: `Profiles of the viewer's own open leads, each with its last ${MAX_POCKET_ACTIVITIES} activities and its next step. Other leads are left out.`,
  query: z.object({ ids }),
  response: z.strictObject({ leads: z.array(pocketLead) }),
  polled: true,
});
