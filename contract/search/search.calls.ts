import { z } from 'zod';
import { call } from '../call.ts';
import { exportRequest, searchRequest, searchResponse } from './search.ts';

export const searchBusinesses = call({
  method: 'POST',
  path: '/api/search-businesses',
  access: 'user',
  summary: 'Searches businesses by type and location with the places provider, and stores the results.',
  body: searchRequest,
  response: searchResponse,
  limit: 'search',
  programs: 'unfenced',
});

export const exportBusinesses = call({
  method: 'POST',
  path: '/api/export-businesses',
  access: 'user',
  summary: 'The selected businesses as a CSV file, business-data.csv.',
  body: exportRequest,
  // A file, streamed from the database.
  response: z.string(),
  limit: 'export',
  programs: 'unfenced',
});

export const listUsersToAssign = call({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'The active users whom a business can be assigned to.',
  response: z.array(z.strictObject({ id: z.number(), fullName: z.string(), username: z.string() })),
  programs: 'unfenced',
});
