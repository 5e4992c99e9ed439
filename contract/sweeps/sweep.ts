import { z } from 'zod';
import { objectionFact } from '../contact-rules/objection.ts';
import { bodyId, line, moment } from '../fields.ts';
import { MAX_SHARED_BY, shareBasis } from '../leads/sharing/distribution.ts';
import { placesProvider, searchRequest } from '../search/search.ts';

/** `stopped` by the cap or the provider; `paused` and `cancelled` by an administrator. */
const sweepState = z.enum(['running', 'paused', 'stopped', 'cancelled', 'done']);
export type SweepState = z.infer<typeof sweepState>;

export const sweepDistrictState = z.enum(['waiting', 'done', 'failed']);
export type SweepDistrictState = z.infer<typeof sweepDistrictState>;

/**
 * What a result is now: new, or why it is left out. `outside`: in a district that was not chosen; `closed`: for good;
 * `assigned`: a lead that was assigned on the screen of this sweep; `similar`: most likely a business that is a lead.
 */
export const sweepResultStatus = z.enum(['new', 'assigned', 'lead', 'customer', 'similar', 'outside', 'closed']);
export type SweepResultStatus = z.infer<typeof sweepResultStatus>;

export const MAX_SWEEP_PLACES = 200;

/** Areas ("LS"), districts ("LS1") and regions ("Yorkshire and the Humber"). */
const places = z
  .array(line(60, 'A place').min(1, 'Please enter a postcode area, a district or a region'))
  .min(1, 'Please enter at least one postcode area, district or region')
  .max(MAX_SWEEP_PLACES, `At most ${MAX_SWEEP_PLACES} places can be entered`);

/** Estimated before a business type is chosen. */
export const sweepPlaces = z.object({ places });
export const newSweep = z.object({
  businessType: searchRequest.shape.businessType,
  keyword: searchRequest.shape.keyword,
  places,
});
export type NewSweep = z.input<typeof newSweep>;

export const sweepEstimate = z.strictObject({
  provider: placesProvider,
  districts: z.number(),
  /** What is neither an area nor a district nor a region. */
  unknown: z.array(z.string()),
  /** At most, without repeats after a fault. */
  calls: z.number(),
  paidCalls: z.number(),
  /** The paid calls of this month; null for a provider without cost. */
  quota: z.strictObject({ cap: z.number(), used: z.number(), left: z.number() }).nullable(),
  /** The calls of sweeps in 24 hours that a public service asks for. */
  daily: z.strictObject({ limit: z.number(), left: z.number() }).nullable(),
  /** About. */
  seconds: z.number(),
  /** Why no sweep can be started, such as a missing key. */
  notReady: z.string().nullable(),
});
export type SweepEstimate = z.infer<typeof sweepEstimate>;

export const sweep = z.strictObject({
  id: z.uuid(),
  businessType: z.string(),
  keyword: z.string().nullable(),
  places: z.array(z.string()),
  provider: placesProvider,
  state: sweepState,
  /** Whether it pauses or ends after the call that is under way. */
  stopping: z.boolean(),
  /** Null once the account is deleted. */
  startedBy: z.string().nullable(),
  createdAt: moment,
  finishedAt: moment.nullable(),
  /** How it ended. */
  message: z.string().nullable(),
  districts: z.strictObject({ total: z.number(), done: z.number(), failed: z.number() }),
  /** The places of all searches, and those left without repetitions. */
  found: z.number(),
  results: z.number(),
  calls: z.number(),
  /** Whether districts are left that it can go on with. */
  canContinue: z.boolean(),
});
export type Sweep = z.infer<typeof sweep>;

export const sweepDistrict = z.strictObject({
  code: z.string(),
  /** Empty where none is named. */
  town: z.string(),
  state: sweepDistrictState,
  found: z.number(),
  /** The results that no district before had. */
  added: z.number(),
  /** Whether more businesses may match than the provider returns. */
  more: z.boolean(),
  calls: z.number(),
  error: z.string().nullable(),
});
export type SweepDistrict = z.infer<typeof sweepDistrict>;

export const sweepResult = z.strictObject({
  businessId: z.number(),
  name: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  /** Those that stand, on its number and on itself. */
  objections: z.array(objectionFact),
  website: z.string().nullable(),
  district: z.string(),
  status: sweepResultStatus,
  /** The lead that a `similar` one looks like. */
  looksLike: z.strictObject({ name: z.string(), town: z.string().nullable(), leadUuid: z.uuid() }).nullable(),
});
export type SweepResult = z.infer<typeof sweepResult>;

/** Who gets the results. */
export const sweepAssignment = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('user'), userId: bodyId('Please select a user') }),
  z.strictObject({
    to: z.literal('several'),
    userIds: z.array(bodyId()).min(1, 'Please choose at least one user').max(MAX_SHARED_BY),
    by: shareBasis,
  }),
  /** Each to the owner of its district; the fallback gets those outside all territories. */
  z.strictObject({ to: z.literal('territory'), fallbackUserId: bodyId('Please select a user') }),
]);
export type SweepAssignment = z.infer<typeof sweepAssignment>;
