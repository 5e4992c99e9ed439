import { z } from 'zod';
import { call } from '../call.ts';
import { exportRequest, searchAnswer, searchRequest } from './search.ts';

export const searchBusinesses = call({
  method: 'POST',
  path: '/api/search-businesses',
  access: 'user',
  summary: 'Searches businesses by type and location through the places provider, and stores what is found.',
  body: searchRequest,
  answer: searchAnswer,
  limit: 'search',
});

export const exportBusinesses = call({
  method: 'POST',
  path: '/api/export-businesses',
  access: 'user',
  summary: 'The chosen businesses as a CSV file, business-data.csv.',
  body: exportRequest,
  // A file, written as it is read from the database.
  answer: z.string(),
  limit: 'export',
});

export const usersToAssign = call({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'The active users whom a business can be assigned to.',
  answer: z.array(z.strictObject({ id: z.number(), fullName: z.string(), username: z.string() })),
});
