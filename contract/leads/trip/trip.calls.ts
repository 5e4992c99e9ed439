import { z } from 'zod';
import { call } from '#contract/call.ts';
import { bodyId, pathId } from '#contract/fields.ts';
import { degrees, leadFilter, wholeNumber } from '#contract/leads/lead-filter.ts';
import {
  DEFAULT_DUE_MILES,
  DEFAULT_TRIP_COUNT,
  MAX_DUE_MILES,
  MAX_STOPS,
  plannedStop,
  trip,
  tripStart,
} from './trip.ts';

const tripPlanQuery = z
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
    count: wholeNumber(MAX_STOPS, DEFAULT_TRIP_COUNT),
    /** How many miles the trip goes for leads whose follow-up is overdue or due today; 0 for the nearest leads alone. */
    dueWithin: wholeNumber(MAX_DUE_MILES, DEFAULT_DUE_MILES, 0),
  })
  .refine(({ near, latitude, longitude }) => near || (latitude !== undefined && longitude !== undefined), {
    path: ['near'],
    error: 'Choose where the trip starts: a position, or a UK town or postcode',
  });
export type TripPlanQuery = z.output<typeof tripPlanQuery>;

/** Without a position, the leads are counted up to this and the first are named. */
export const MAX_UNPLACED = 1_000;

export const planTrip = call({
  method: 'GET',
  path: '/api/leads/trip-plan',
  access: 'user',
  summary:
    'The open filtered leads for a trip: those that are due and not too far, then the nearest; and those whose position is unknown.',
  query: tripPlanQuery,
  response: z.strictObject({
    /** The notice says what is inexact. */
    start: tripStart.extend({ notice: z.string().nullable() }),
    /** What is due first, the earliest before, then what is near. */
    stops: z.array(plannedStop),
    unplaced: z.strictObject({
      count: z.number(),
      leads: z.array(z.strictObject({ uuid: z.uuid(), name: z.string() })),
    }),
  }),
  showsLeads: 'derived',
});

export const getTrip = call({
  method: 'GET',
  path: '/api/trip',
  access: 'user',
  summary:
    'The trip that the viewer is on. A lead that gets another holder, is archived, deleted or merged away is no stop any more.',
  response: z.strictObject({ trip: trip.nullable() }),
  showsLeads: 'list',
});

const stops = z
  .array(bodyId())
  .min(1, 'A trip has at least one stop')
  .max(MAX_STOPS, `A trip has at most ${MAX_STOPS} stops`)
  .refine((ids) => new Set(ids).size === ids.length, 'A lead is one stop of a trip');

export const startTrip = call({
  method: 'PUT',
  path: '/api/trip',
  access: 'user',
  summary: 'Starts a trip through these leads, in this order. The trip before, if there is one, ends.',
  body: z.object({
    start: z.object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: z.string().trim().max(200).nullable(),
    }),
    stops,
  }),
  response: trip,
});

const params = z.object({ tripId: z.uuid() });

export const changeStops = call({
  method: 'PUT',
  path: '/api/trip/:tripId/stops',
  access: 'user',
  summary: 'Sets the stops of the trip and their order. Those that stay keep their reason and arrival.',
  params,
  body: z.object({ stops }),
  response: trip,
});

export const checkIn = call({
  method: 'PATCH',
  path: '/api/trip/:tripId/stops/:id',
  access: 'user',
  summary: 'Records that the user has arrived at a stop, or takes that back.',
  params: params.extend({ id: pathId }),
  body: z.object({ arrived: z.boolean() }),
  response: trip,
  sentLater: true,
});

export const endTrip = call({
  method: 'DELETE',
  path: '/api/trip/:tripId',
  access: 'user',
  summary: 'Ends the trip. What was logged on the way stays.',
  params,
  response: z.strictObject({ trip: z.null() }),
});
