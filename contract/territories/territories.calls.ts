import { z } from 'zod';
import { call } from '../call.ts';
import { district } from '../districts/district.ts';
import { bodyId } from '../fields.ts';
import { job } from '../jobs/job.ts';
import { MAX_BULK } from '../leads/lead-lists.calls.ts';
import { assignmentChoice, share } from '../leads/sharing/assignment.ts';
import { MAX_DISTRICTS, overlap, territory, territoryChange } from './territory.ts';

export const getTerritories = call({
  method: 'GET',
  path: '/api/territories',
  access: 'user',
  summary:
    'The districts of each user, and those of several; for users who are neither manager nor admin only their own.',
  response: z.strictObject({ territories: z.array(territory), overlaps: z.array(overlap) }),
  programs: 'unfenced',
});

export const changeTerritories = call({
  method: 'PATCH',
  path: '/api/territories',
  access: 'admin',
  summary: 'Adds districts or whole areas to users, and removes others. Returns what has changed.',
  body: z.strictObject({ changes: z.array(territoryChange).min(1).max(500) }),
  response: z.strictObject({ changes: z.array(territoryChange) }),
});

const districts = z.array(district).min(1).max(MAX_DISTRICTS);

export const countTerritoryLeads = call({
  method: 'POST',
  path: '/api/territories/open-leads',
  access: 'admin',
  summary: 'How many open leads a user has in these districts.',
  body: z.strictObject({ userId: bodyId(), districts }),
  response: z.strictObject({ count: z.number() }),
  limit: 'read',
});

export const moveTerritoryLeads = call({
  method: 'POST',
  path: '/api/territories/move-leads',
  access: 'admin',
  summary: `Reassigns the open leads that a user has in these districts, at most ${MAX_BULK} at once; in the background all of them.`,
  body: z.strictObject({
    fromUserId: bodyId(),
    toUserId: bodyId(),
    districts,
    /** The `next` of the step before. */
    after: z.number().int().min(0).default(0),
    /** The same for all steps, which are one batch of changes. */
    batch: z.uuid().optional(),
    /** The server goes on by itself after the first step. */
    background: z.boolean().default(false),
  }),
  response: z.strictObject({
    moved: z.number(),
    /** Those whose business the new holder has already. */
    skipped: z.number(),
    /** Null after the last step, and where the server goes on. */
    next: z.number().nullable(),
    /** Does the rest in the background. */
    job: job.optional(),
  }),
  idempotent: true,
});

const businessIds = z.array(bodyId()).min(1, 'Please select at least one business').max(MAX_BULK);

export const previewAssignment = call({
  method: 'POST',
  path: '/api/assignments/preview',
  access: 'admin',
  summary: 'Who would get how many of these businesses.',
  body: z.strictObject({ businessIds, choice: assignmentChoice }),
  response: z.strictObject({ shares: z.array(share) }),
  limit: 'read',
  programs: 'unfenced',
});

export const assignBusinesses = call({
  method: 'POST',
  path: '/api/assignments',
  access: 'admin',
  summary: 'Makes businesses leads of the users whom the choice gives, in one transaction.',
  body: z.strictObject({ businessIds, choice: assignmentChoice }),
  response: z.strictObject({ shares: z.array(share) }),
  idempotent: true,
});
