import { z } from 'zod';
import { call } from '../call.ts';
import { leadExportQuery, leadFilter } from './lead-filter.ts';

export const countLeads = call({
  method: 'GET',
  path: '/api/leads/count',
  access: 'user',
  summary: 'How many leads match, counted to the last: what an export will hold.',
  query: leadFilter,
  response: z.strictObject({ total: z.number() }),
});

export const exportLeads = call({
  method: 'GET',
  path: '/api/leads/export',
  access: 'user',
  summary: 'Every lead that matches as a CSV file, leads.csv; the header X-Row-Count says beforehand how many.',
  query: leadExportQuery,
  // A file, written as it is read from the database.
  response: z.string(),
  limit: 'export',
});

/** How many rows were counted before the first was sent. */
export const ROW_COUNT_HEADER = 'x-row-count';
