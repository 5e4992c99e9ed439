import { z } from 'zod';
import { call } from '#contract/call.ts';

/** What a new team does first, in this order. */
export const firstStep = z.enum(['places', 'people', 'search', 'assign', 'today']);
export type FirstStep = z.infer<typeof firstStep>;

export const getFirstSteps = call({
  method: 'GET',
  path: '/api/first-steps',
  access: 'admin',
  summary: 'Which of the first steps of a new team are done.',
  response: z.strictObject({ done: z.record(firstStep, z.boolean()) }),
  showsLeads: 'list',
});
