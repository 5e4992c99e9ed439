import { z } from 'zod';
import { call } from '../call.ts';
import { job } from './job.ts';

const params = z.object({ jobId: z.uuid() });

export const getJob = call({
  method: 'GET',
  path: '/api/jobs/:jobId',
  access: 'user',
  summary: "One's own job: how far it is, or how it ended.",
  params,
  response: job,
  polled: true,
});

export const cancelJob = call({
  method: 'POST',
  path: '/api/jobs/:jobId/cancel',
  access: 'user',
  summary: "Ends one's own job after the step that is running. What is done stays, and can be undone.",
  params,
  response: job,
});
