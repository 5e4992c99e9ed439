import { z } from 'zod';
import { call } from '../call.ts';
import { job } from './job.ts';

export const getJob = call({
  method: 'GET',
  path: '/api/jobs/:jobId',
  access: 'user',
  summary: "One's own job: how far it is, or how it ended.",
  params: z.object({ jobId: z.uuid() }),
  response: job,
  polled: true,
});
