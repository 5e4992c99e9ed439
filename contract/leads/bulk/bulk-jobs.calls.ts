import { z } from 'zod';
import { call } from '../../call.ts';
import { leadExportQuery, MAX_TOTAL } from '../lead-filter.ts';
import { bulkIds } from '../lead-lists.calls.ts';
import { share } from '../sharing/assignment.ts';
import { evenShare } from '../sharing/distribution.ts';
import { bulkJob, bulkJobAction, distribution, territoryDistribution } from './bulk-job.ts';

const selection = <A extends z.ZodType>(action: A) =>
  z
    .object({
      filter: leadExportQuery.optional(),
      /** How many leads the user confirmed. If another number matches, the call is refused with `count_changed`. */
      count: z.number().int().min(1).optional(),
      ids: bulkIds.ids.optional(),
      action,
    })
    .refine(({ filter, ids }) => (filter === undefined) !== (ids === undefined), 'Either a filter or ids');

export const startBulkJob = call({
  method: 'POST',
  path: '/api/bulk/jobs',
  access: 'user',
  summary: `Starts a bulk action on all leads that match a filter, at most ${MAX_TOTAL}, or on chosen ones. It runs in steps, as one batch of changes.`,
  body: selection(bulkJobAction),
  response: bulkJob,
  idempotent: true,
});

export const previewDistribution = call({
  method: 'POST',
  path: '/api/bulk/distribute/preview',
  access: 'manager',
  summary: 'How many of the matching or chosen leads each user would keep and get.',
  body: selection(distribution),
  /** `held`: how many of the user's own stay. */
  response: z.strictObject({ shares: z.array(evenShare.extend({ held: z.number() })) }),
  limit: 'read',
});

export const previewTerritories = call({
  method: 'POST',
  path: '/api/bulk/to-territories/preview',
  access: 'manager',
  summary: 'How many of the matching or chosen leads each owner of a territory would get.',
  body: selection(territoryDistribution),
  response: z.strictObject({ shares: z.array(share) }),
  limit: 'read',
});

export const getLatestBulkJob = call({
  method: 'GET',
  path: '/api/bulk/jobs/latest',
  access: 'user',
  summary: "The caller's latest bulk action by filter: how far it is, or how it ended.",
  response: z.strictObject({ job: bulkJob.nullable() }),
  polled: true,
});

export const cancelBulkJob = call({
  method: 'POST',
  path: '/api/bulk/jobs/:jobId/cancel',
  access: 'user',
  summary: "Ends one's own bulk action after its current step. What it changed stays, and can be undone.",
  params: z.object({ jobId: z.uuid() }),
  response: bulkJob,
});
