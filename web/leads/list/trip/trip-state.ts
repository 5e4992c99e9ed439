import { z } from 'zod';
import type { Point } from '#contract/geo.ts';
import { DEFAULT_DUE_MILES, DEFAULT_TRIP_COUNT, MAX_DUE_MILES, TRIP_COUNTS } from '#contract/leads/trip/trip.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/navigation/url-state.ts';

/** The plan of a trip, which the URL of the list holds beside the list's own state. */
export interface TripState {
  /**
   * Where the trip starts: "LS1", "York", "53.7997,-1.5492". CHOOSE_START or LOCATE until then, and empty where no trip is
   * planned.
   */
  trip: string;
  /** At most so many. */
  stops: number;
  /** How many miles the trip goes for what is due. */
  due: number;
  /** The ids of the leads in the order that the user chose, without those dropped; empty for the computed order. */
  order: number[];
}

export const CHOOSE_START = 'choose';
/** Asks the browser for its position. */
export const LOCATE = 'me';

const DEFAULTS: TripState = { trip: '', stops: DEFAULT_TRIP_COUNT, due: DEFAULT_DUE_MILES, order: [] };

const schema = z.object({
  trip: z.string().max(100).catch(''),
  stops: z.coerce
    .number()
    .refine((count) => TRIP_COUNTS.some((known) => known === count))
    .catch(DEFAULT_TRIP_COUNT),
  due: z.coerce.number().int().min(0).max(MAX_DUE_MILES).catch(DEFAULT_DUE_MILES),
  order: z
    .string()
    .transform((text) => text.split(',').map(Number).filter(Number.isSafeInteger))
    .catch([]),
});

export function useTripState() {
  const [state, change] = useUrlState<TripState>(schema, DEFAULTS);
  const changeTrip = (changed: Partial<TripState>, options?: ChangeOptions) =>
    change((current) => {
      const next = { ...current, ...changed };
      return next.trip ? next : DEFAULTS;
    }, options);
  return [state, changeTrip] as const;
}

/** Four decimals are 11 metres. */
export const formatPosition = ({ latitude, longitude }: Point) => `${latitude.toFixed(4)},${longitude.toFixed(4)}`;

interface StartQuery {
  near?: string;
  latitude?: string;
  longitude?: string;
}

/** The start as parameters of the call; undefined where none is chosen. */
export function toStartQuery(trip: string): StartQuery | undefined {
  if (['', CHOOSE_START, LOCATE].includes(trip)) return undefined;
  const [, latitude, longitude] = /^(-?\d{1,2}\.\d+),(-?\d{1,3}\.\d+)$/.exec(trip) ?? [];
  return latitude && longitude ? { latitude, longitude } : { near: trip };
}
