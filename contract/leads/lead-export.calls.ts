import { z } from 'zod';
import { call } from '../call.ts';
import { leadExportQuery, leadFilter } from './lead-filter.ts';

export const countLeads = call({
  method: 'GET',
  path: '/api/leads/count',
  access: 'user',
  summary: 'The exact number of matching leads, which an export will contain.',
  query: leadFilter,
  response: z.strictObject({ total: z.number() }),
  showsLeads: 'derived',
  programs: 'all',
});

export const exportLeads = call({
  method: 'GET',
  path: '/api/leads/export',
  access: 'user',
  summary: 'All matching leads as a CSV file, leads.csv; the header X-Row-Count has their number.',
  query: leadExportQuery,
  // A file, streamed from the database.
  response: z.string(),
  limit: 'export',
  needsProof: true,
  programs: 'all',
});

/** The number of rows, counted before the first is sent. */
export const ROW_COUNT_HEADER = 'x-row-count';
