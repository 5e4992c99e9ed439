import { z } from 'zod';
import { call } from '../call.ts';
import { afterId, nextId } from '../cursor.ts';
import { bodyId } from '../fields.ts';
import { job } from '../jobs/job.ts';
import { share } from '../leads/sharing/assignment.ts';
import {
  newSweep,
  sweep,
  sweepAssignment,
  sweepDistrict,
  sweepDistrictState,
  sweepEstimate,
  sweepPlaces,
  sweepResult,
  sweepResultStatus,
} from './sweep.ts';

const params = z.object({ id: z.uuid() });
const page = z.coerce.number<string | number>().int().min(1).max(100_000).default(1);
const paged = { total: z.number(), page: z.number(), pageSize: z.number(), next: nextId };

/** The results that one request assigns; one transaction. */
export const ASSIGN_STEP = 500;
const MAX_CHOSEN = 1_000;
const chosenIds = z.array(bodyId()).min(1).max(MAX_CHOSEN).optional();

export const estimateSweep = call({
  method: 'POST',
  path: '/api/sweeps/estimate',
  access: 'admin',
  summary: 'The districts, calls, cost and duration of a sweep. Starts nothing.',
  body: sweepPlaces,
  response: sweepEstimate,
  limit: 'read',
});

export const startSweep = call({
  method: 'POST',
  path: '/api/sweeps',
  access: 'admin',
  summary: 'Starts a search over many districts as a job. Refused while another sweep is running.',
  body: newSweep,
  response: sweep,
  success: 201,
});

export const listSweeps = call({
  method: 'GET',
  path: '/api/sweeps',
  access: 'admin',
  summary: 'The latest 20 sweeps of all administrators, newest first.',
  response: z.strictObject({ items: z.array(sweep) }),
  polled: true,
  programs: 'unfenced',
});

export const getSweep = call({
  method: 'GET',
  path: '/api/sweeps/:id',
  access: 'admin',
  summary: 'One sweep: its progress and how it ended.',
  params,
  response: sweep,
  polled: true,
  programs: 'unfenced',
});

export const listSweepDistricts = call({
  method: 'GET',
  path: '/api/sweeps/:id/districts',
  access: 'admin',
  summary: 'A page of the districts of a sweep, in the order of the search.',
  params,
  query: z.object({ state: sweepDistrictState.optional(), page, after: afterId }),
  response: z.strictObject({ items: z.array(sweepDistrict), ...paged }),
  polled: true,
  programs: 'unfenced',
});

export const listSweepResults = call({
  method: 'GET',
  path: '/api/sweeps/:id/results',
  access: 'admin',
  summary: 'A page of the results of a sweep, and how many are new or left out.',
  params,
  query: z.object({ status: sweepResultStatus.optional(), page, after: afterId }),
  response: z.strictObject({
    items: z.array(sweepResult),
    counts: z.record(sweepResultStatus, z.number()),
    /** The latest batch of changes in which results were assigned, while its changes are kept. */
    batchId: z.uuid().nullable(),
    ...paged,
  }),
  polled: true,
  showsLeads: 'derived',
  programs: 'unfenced',
});

const action = (name: string, summary: string) =>
  call({ method: 'POST', path: `/api/sweeps/:id/${name}`, access: 'admin', summary, params, response: sweep });

export const pauseSweep = action('pause', 'Pauses a running sweep after the call that is under way.');
export const continueSweep = action(
  'continue',
  'Continues a paused or stopped sweep with the districts that are left, and repeats those that failed.',
);
export const cancelSweep = action('cancel', 'Ends a sweep. Its results stay.');

export const assignSweepResults = call({
  method: 'POST',
  path: '/api/sweeps/:id/assign',
  access: 'admin',
  summary: `Makes new results leads, at most ${ASSIGN_STEP} in a request; repeat it with the same batch until none is left. In the background all of them.`,
  params,
  body: z.object({
    /** The same for all requests of one action: one batch of changes, and one notification for each user. */
    batch: z.uuid(),
    assignment: sweepAssignment,
    /** Only these businesses; by default all new results. */
    businessIds: chosenIds,
    /** The server goes on by itself after the first step. */
    background: z.boolean().default(false),
  }),
  response: z.strictObject({
    /** In all requests of this batch so far. */
    assigned: z.number(),
    left: z.number(),
    /** Does the rest in the background. */
    job: job.optional(),
  }),
});

export const previewSweepTerritories = call({
  method: 'POST',
  path: '/api/sweeps/:id/assign/preview',
  access: 'admin',
  summary: 'How many of the new results each owner of a territory would get.',
  params,
  body: z.object({ fallbackUserId: bodyId('Please select a user'), businessIds: chosenIds }),
  response: z.strictObject({ shares: z.array(share) }),
  limit: 'read',
  showsLeads: 'derived',
});
