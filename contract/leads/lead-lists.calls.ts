import { z } from 'zod';
import { call } from '../call.ts';
import { afterId, nextId } from '../cursor.ts';
import { bodyId } from '../fields.ts';
import { leadMatch } from './find/lead-match.ts';
import { followUpPlan } from './follow-ups/follow-up.ts';
import { activityType, leadItem, leadStatus, reassignment } from './lead.ts';
import { leadPageQuery, leadPointsQuery, leadScope } from './lead-filter.ts';

export const listedLead = z.strictObject({
  ...leadItem.shape,
  /** The newest activity, with the first line of its text. */
  latestActivity: z.strictObject({ type: activityType, text: z.string(), outcome: z.string().nullable() }).nullable(),
  /** Why the search text found the lead; null where it is in the name, and without a text. */
  match: leadMatch.nullable(),
});
export type ListedLead = z.infer<typeof listedLead>;

export const leadPage = z.strictObject({
  items: z.array(listedLead),
  total: z.number(),
  /** Whether more leads match than were counted. */
  totalCapped: z.boolean(),
  /** True when no lead matches the search text, and these match after one typing error in a word. */
  similar: z.boolean(),
  page: z.number(),
  pageSize: z.number(),
  next: nextId,
});
export type LeadPage = z.infer<typeof leadPage>;

export const listLeads = call({
  method: 'GET',
  path: '/api/leads',
  access: 'user',
  summary: 'A page of leads, filtered, sorted and counted. Programs that read all pages do so with `after`.',
  query: leadPageQuery.extend({
    after: afterId,
  }),
  response: leadPage,
  showsLeads: 'list',
  programs: 'all',
});

const leadPoint = z.strictObject({
  id: z.number(),
  latitude: z.number(),
  longitude: z.number(),
  status: leadStatus,
  type: z.string().nullable(),
});
export type LeadPoint = z.infer<typeof leadPoint>;

export const listLeadPoints = call({
  method: 'GET',
  path: '/api/leads/points',
  access: 'user',
  summary: 'The positions of the filtered leads within an area.',
  query: leadPointsQuery,
  response: z.strictObject({ points: z.array(leadPoint), capped: z.boolean() }),
  showsLeads: 'list',
  programs: 'all',
});

const strings = z.array(z.string());

export const listLeadTowns = call({
  method: 'GET',
  path: '/api/leads/towns',
  access: 'user',
  summary: 'The towns of all leads in view.',
  query: leadScope,
  response: strings,
  showsLeads: 'derived',
  programs: 'unfenced',
});

export const listLeadTags = call({
  method: 'GET',
  path: '/api/leads/tags',
  access: 'user',
  summary: 'The tags of all leads in view, without the reserved one.',
  query: leadScope,
  response: strings,
  showsLeads: 'derived',
  programs: 'unfenced',
});

export const listLeadTypes = call({
  method: 'GET',
  path: '/api/leads/types',
  access: 'user',
  summary: 'The types of business of all leads in view.',
  query: leadScope,
  response: strings,
  showsLeads: 'derived',
  programs: 'unfenced',
});

export const listLeadOrigins = call({
  method: 'GET',
  path: '/api/leads/origins',
  access: 'user',
  summary: 'The sources of all leads in view, each file by its name; "none" stands for those that were not recorded.',
  query: leadScope,
  response: strings,
  showsLeads: 'derived',
});

export const listLeadStatuses = call({
  method: 'GET',
  path: '/api/leads/statuses',
  access: 'user',
  summary: 'The statuses that leads in view have.',
  query: leadScope,
  response: z.array(leadStatus),
  showsLeads: 'derived',
  programs: 'unfenced',
});

export const listAllTags = call({
  method: 'GET',
  path: '/api/all-tags',
  access: 'user',
  summary: 'The tags of all leads in view, without the reserved one.',
  response: strings,
  showsLeads: 'derived',
  programs: 'unfenced',
});

/** Without pages, so that programs, which have `after` of the list, do not make them. */
const wholeList = (path: string, summary: string) =>
  call({ method: 'GET', path, access: 'user', summary, response: z.array(leadItem), showsLeads: 'list' });

export const listAllLeads = wholeList('/api/admin/all-assignments', 'Every unarchived lead in view.');
export const listAllArchivedLeads = wholeList('/api/admin/all-assignments/archived', 'Every archived lead in view.');
export const listOwnLeads = wholeList('/api/my-businesses', "One's own unarchived leads.");
export const listOwnArchivedLeads = wholeList('/api/my-businesses/archived', "One's own archived leads.");

/** How many leads one bulk call, or one step of a bulk action by filter, changes. */
export const MAX_BULK = 500;

const idList = (emptyMessage: string) =>
  z.array(bodyId(), emptyMessage).min(1, emptyMessage).max(MAX_BULK, `At most ${MAX_BULK} businesses at once`);
export const bulkIds = {
  ids: idList('Please select at least one business to perform this action.'),
};

export const bulkResults = z.strictObject({
  results: z.strictObject({
    success: z.number(),
    failed: z.number(),
    errors: z.array(z.strictObject({ id: z.number(), message: z.string() })),
  }),
});
export type BulkResults = z.infer<typeof bulkResults>;

export const bulkCall = <B extends z.ZodType>(action: string, summary: string, body: B) =>
  call({
    method: 'POST',
    path: `/api/bulk/${action}`,
    access: 'user',
    summary,
    body,
    response: bulkResults,
    idempotent: true,
    programs: 'unfenced',
  });

export const bulkDelete = bulkCall('delete', 'Deletes leads.', z.object(bulkIds));
export const bulkArchive = bulkCall('archive', 'Moves leads to the archive.', z.object(bulkIds));
export const bulkRestore = bulkCall('restore', 'Restores leads from the archive.', z.object(bulkIds));
export const bulkUpdateStatus = bulkCall(
  'update-status',
  'Sets the status of leads.',
  z.object({ ...bulkIds, status: leadStatus }),
);
export const bulkPlanFollowUp = bulkCall(
  'plan-follow-up',
  'Plans the next step of leads, or changes the one that is planned.',
  followUpPlan.extend(bulkIds),
);
export const bulkDropFollowUps = bulkCall(
  'drop-follow-ups',
  'Deletes the planned follow-ups of leads; leads without one stay as they are.',
  z.object(bulkIds),
);
export const bulkReassign = bulkCall(
  'reassign',
  'Reassigns leads to another user.',
  reassignment.extend({ ...bulkIds, ids: idList('No businesses selected for reassignment') }),
);
