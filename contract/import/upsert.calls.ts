import { z } from 'zod';
import { call } from '../call.ts';
import { MAX_UPSERTED, upsertBody, upsertOutcome, upsertResult } from './upsert.ts';

export const upsertLeads = call({
  method: 'POST',
  path: '/api/leads/upsert',
  access: 'user',
  summary: `Makes and changes up to ${MAX_UPSERTED} leads, by external id, uuid or place id, as one batch of changes. Reports per item.`,
  body: upsertBody,
  response: z.strictObject({
    results: z.array(upsertResult),
    counts: z.record(upsertOutcome, z.number()),
  }),
  idempotent: true,
  programs: 'unfenced',
  example: {
    source: 'hubspot',
    items: [{ externalId: '4711', name: 'Rose & Thorn', phone: '0113 496 0001', tags: ['website'] }],
  },
});
