import { z } from 'zod';
import { call } from '../call.ts';
import { leadStatus } from './lead.ts';
import { degrees, leadFilter, wholeNumber } from './lead-filter.ts';

export const VISIT_COUNTS = [5, 10, 15, 25] as const;
export const DEFAULT_VISIT_COUNT = 10;
const MAX_VISITS = 25;

const position = { latitude: z.number(), longitude: z.number() };

const visitStop = z.strictObject({
  id: z.number(),
  uuid: z.uuid(),
  name: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  phoneIsWrong: z.boolean(),
  status: leadStatus,
  ...position,
  positionApproximate: z.boolean(),
});
export type VisitStop = z.infer<typeof visitStop>;

const visitsQuery = z
  .object({
    ...leadFilter.shape,
    /** Where the trip starts: a UK postcode, district or town, instead of a position. */
    near: z
      .string()
      .trim()
      .max(100)
      .optional()
      .transform((value) => value || undefined),
    latitude: degrees(90),
    longitude: degrees(180),
    count: wholeNumber(MAX_VISITS, DEFAULT_VISIT_COUNT),
  })
  .refine(({ near, latitude, longitude }) => near || (latitude !== undefined && longitude !== undefined), {
    path: ['near'],
    error: 'Choose where the trip starts: a position, or a UK town or postcode',
  });
export type VisitsQuery = z.output<typeof visitsQuery>;

/** Without a position, the leads are counted up to this and the first are named. */
export const MAX_UNPLACED = 1_000;

export const listVisits = call({
  method: 'GET',
  path: '/api/leads/visits',
  access: 'user',
  summary: 'The open filtered leads that are nearest to a position or place, and those whose position is unknown.',
  query: visitsQuery,
  response: z.strictObject({
    /** The name is null for a position. The notice says what is inexact. */
    start: z.strictObject({ ...position, name: z.string().nullable(), notice: z.string().nullable() }),
    /** The nearest first. */
    stops: z.array(visitStop),
    unplaced: z.strictObject({
      count: z.number(),
      leads: z.array(z.strictObject({ uuid: z.uuid(), name: z.string() })),
    }),
  }),
  showsLeads: 'derived',
});
