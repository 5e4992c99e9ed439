import { z } from 'zod';
import { call } from '../../call.ts';
import { MAX_ID } from '../../fields.ts';
import { tag } from '../lead.ts';
import { MAX_TOTAL } from '../lead-filter.ts';
import { bulkCall, bulkIds } from '../lead-lists.calls.ts';
import { evenShare, MAX_SHARED_BY, shareBasis } from '../sharing/distribution.ts';
import { ownFieldChange } from './bulk-job.ts';

const ofOneBatch = {
  ...bulkIds,
  /** The same for several requests that are one batch of changes, such as the tags of one cell. */
  batch: z.uuid().optional(),
};

export const bulkAddTag = bulkCall(
  'add-tag',
  'Adds a tag to leads; those that have it already stay as they are.',
  z.object({ ...ofOneBatch, tag }),
);
export const bulkRemoveTag = bulkCall(
  'remove-tag',
  'Removes a tag from leads; those without it stay as they are.',
  z.object({ ...ofOneBatch, tag: z.string().min(1, 'Please choose a tag').max(50) }),
);

export const bulkSetField = bulkCall(
  'set-field',
  "Sets or clears one field of the team's own; leads that have the value already stay as they are.",
  z.object({ ...bulkIds, ...ownFieldChange }),
);

const userIds = z
  .string()
  .transform((text) => [...new Set(text.split(',').filter(Boolean).map(Number))])
  .pipe(z.array(z.number().int().min(1).max(MAX_ID)).min(1, 'Please choose at least one user').max(MAX_SHARED_BY));

export const getShares = call({
  method: 'GET',
  path: '/api/bulk/shares',
  access: 'manager',
  summary: 'How many of a number of new leads each user would get, so that open leads or missing contacts become even.',
  query: z.object({
    users: userIds,
    count: z.coerce.number<string | number>().int().min(1).max(MAX_TOTAL),
    by: shareBasis,
  }),
  response: z.array(evenShare),
});
