import { z } from 'zod';
import { objectionFact } from '#contract/contact-rules/objection.ts';
import type { Point } from '#contract/geo.ts';
import { milesBetween } from '#contract/geo.ts';
import { leadStatus } from '#contract/leads/lead.ts';

/** How many stops a plan can have. */
export const TRIP_COUNTS = [5, 10, 15, 25] as const;
export const DEFAULT_TRIP_COUNT = 10;
export const MAX_STOPS = 25;

/** How far a trip goes for a lead whose follow-up is due, before it takes the nearest of the others. */
export const MAX_DUE_MILES = 50;
export const DEFAULT_DUE_MILES = 10;

const position = { latitude: z.number(), longitude: z.number() };

/** Why a lead is a stop: a follow-up that is due by the end of the day, or its distance from the start. */
const stopReason = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('due'), at: z.string() }),
  z.strictObject({ kind: z.literal('near'), miles: z.number() }),
]);
export type StopReason = z.infer<typeof stopReason>;

export const plannedStop = z.strictObject({
  id: z.number(),
  uuid: z.uuid(),
  name: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  phoneIsWrong: z.boolean(),
  /** Those that stand, on its number and on its business. */
  objections: z.array(objectionFact),
  status: leadStatus,
  ...position,
  positionApproximate: z.boolean(),
  reason: stopReason,
});
export type PlannedStop = z.infer<typeof plannedStop>;

export const tripStart = z.strictObject({
  ...position,
  /** Null for the position of the user. */
  name: z.string().nullable(),
});
export type TripStart = z.infer<typeof tripStart>;

export const tripStop = plannedStop.extend({
  /** When the user checked in. */
  arrivedAt: z.string().nullable(),
  /** Whether the user has logged a contact on the lead since the trip started. */
  done: z.boolean(),
});
export type TripStop = z.infer<typeof tripStop>;

export const trip = z.strictObject({
  id: z.uuid(),
  startedAt: z.string(),
  start: tripStart,
  /** In the order of the trip. */
  stops: z.array(tripStop),
});
export type Trip = z.infer<typeof trip>;

interface PlacedLead extends Point {
  nextStepAt: string | null;
}

export const findReason = (lead: PlacedLead, start: Point, endOfDay: Date): StopReason =>
  lead.nextStepAt !== null && Date.parse(lead.nextStepAt) < endOfDay.getTime()
    ? { kind: 'due', at: lead.nextStepAt }
    : { kind: 'near', miles: milesBetween(start, lead) };
