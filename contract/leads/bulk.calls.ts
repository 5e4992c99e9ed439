import { z } from 'zod';
import { call } from '../call.ts';
import { MAX_ID } from '../fields.ts';
import { MAX_SHARED_BY, shareBasis } from './distribution.ts';
import { tag } from './lead.ts';
import { leadExportQuery, MAX_TOTAL } from './lead-filter.ts';
import { bulkCall, bulkIds } from './lead-lists.calls.ts';

export const bulkAddTag = bulkCall(
  'add-tag',
  'Adds a tag to leads; those that have it already stay as they are.',
  z.object({ ...bulkIds, tag }),
);
export const bulkRemoveTag = bulkCall(
  'remove-tag',
  'Removes a tag from leads; those without it stay as they are.',
  z.object({ ...bulkIds, tag: z.string().min(1, 'Please choose a tag').max(50) }),
);

export const listLeadIds = call({
  method: 'GET',
  path: '/api/leads/ids',
  access: 'user',
  summary: `The ids of all matching leads, in the order of the list, at most ${MAX_TOTAL}.`,
  query: leadExportQuery,
  response: z.strictObject({ ids: z.array(z.number()), capped: z.boolean() }),
});

const userIds = z
  .string()
  .transform((text) => [...new Set(text.split(',').filter(Boolean).map(Number))])
  .pipe(z.array(z.number().int().min(1).max(MAX_ID)).min(1, 'Please choose at least one user').max(MAX_SHARED_BY));

export const getShares = call({
  method: 'GET',
  path: '/api/bulk/shares',
  access: 'manager',
  summary: 'How many of a number of leads each user would get, so that open leads or missing contacts become even.',
  query: z.object({
    users: userIds,
    count: z.coerce.number<string | number>().int().min(1).max(MAX_TOTAL),
    by: shareBasis,
  }),
  response: z.array(
    z.strictObject({
      userId: z.number(),
      fullName: z.string(),
      /** Open leads, or contacts that are missing to the goal of the month. */
      current: z.number(),
      share: z.number(),
    }),
  ),
});
