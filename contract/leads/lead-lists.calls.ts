import { z } from 'zod';
import { call } from '../call.ts';
import { bodyId } from '../fields.ts';
import { leadItem, leadStatus, reassignment } from './lead.ts';
import { leadPageQuery, leadPointsQuery } from './lead-filter.ts';

export const leadPage = z.strictObject({
  items: z.array(leadItem),
  total: z.number(),
  /** True when there are more than were counted. */
  totalCapped: z.boolean(),
  page: z.number(),
  pageSize: z.number(),
});
export type LeadPage = z.infer<typeof leadPage>;

export const listLeads = call({
  method: 'GET',
  path: '/api/leads',
  access: 'user',
  summary: 'A page of leads, filtered, sorted and counted.',
  query: leadPageQuery,
  response: leadPage,
});

export const leadPoint = z.strictObject({ id: z.number(), latitude: z.number(), longitude: z.number() });
export type LeadPoint = z.infer<typeof leadPoint>;

export const listLeadPoints = call({
  method: 'GET',
  path: '/api/leads/points',
  access: 'user',
  summary: 'Where the filtered leads are, within an area.',
  query: leadPointsQuery,
  response: z.strictObject({ points: z.array(leadPoint), capped: z.boolean() }),
});

const words = z.array(z.string());

export const listLeadTowns = call({
  method: 'GET',
  path: '/api/leads/towns',
  access: 'user',
  summary: 'The towns of all leads in view.',
  response: words,
});

export const listLeadTags = call({
  method: 'GET',
  path: '/api/leads/tags',
  access: 'user',
  summary: 'The tags of all leads in view, without the reserved one.',
  response: words,
});

export const listLeadStatuses = call({
  method: 'GET',
  path: '/api/leads/statuses',
  access: 'user',
  summary: 'The statuses that leads in view have.',
  response: z.array(leadStatus),
});

export const listAllTags = call({
  method: 'GET',
  path: '/api/all-tags',
  access: 'user',
  summary: 'The tags of all leads in view, without the reserved one.',
  response: words,
});

const wholeList = (path: string, summary: string) =>
  call({ method: 'GET', path, access: 'user', summary, response: z.array(leadItem) });

export const allAssignments = wholeList('/api/admin/all-assignments', 'Every unarchived lead in view.');
export const allArchived = wholeList('/api/admin/all-assignments/archived', 'Every archived lead in view.');
export const myBusinesses = wholeList('/api/my-businesses', "One's own unarchived leads.");
export const myArchived = wholeList('/api/my-businesses/archived', "One's own archived leads.");

const idsOr = (whenEmpty: string) =>
  z.array(bodyId(), whenEmpty).min(1, whenEmpty).max(500, 'At most 500 businesses at once');
const ids = idsOr('Please select at least one business to perform this action.');

export const bulkResults = z.strictObject({
  results: z.strictObject({
    success: z.number(),
    failed: z.number(),
    errors: z.array(z.strictObject({ id: z.number(), message: z.string() })),
  }),
});
export type BulkResults = z.infer<typeof bulkResults>;

const bulk = <B extends z.ZodType>(verb: string, summary: string, body: B) =>
  call({
    method: 'POST',
    path: `/api/bulk/${verb}`,
    access: 'user',
    summary,
    body,
    response: bulkResults,
    idempotent: true,
  });

export const bulkDelete = bulk('delete', 'Deletes leads.', z.object({ ids }));
export const bulkArchive = bulk('archive', 'Moves leads to the archive.', z.object({ ids }));
export const bulkRestore = bulk('restore', 'Brings leads back from the archive.', z.object({ ids }));
export const bulkUpdateStatus = bulk(
  'update-status',
  'Moves leads to a status.',
  z.object({ ids, status: leadStatus }),
);
export const bulkReassign = bulk(
  'reassign',
  'Hands leads to another user.',
  reassignment.extend({ ids: idsOr('No businesses selected for reassignment') }),
);
