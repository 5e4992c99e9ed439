import { z } from 'zod';
import type { Point } from '#contract/geo.ts';
import { DEFAULT_VISIT_COUNT, VISIT_COUNTS } from '#contract/leads/visits.calls.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/navigation/url-state.ts';

/** The state of the visit order that the URL of the list holds beside the list's own. */
interface VisitState {
  /**
   * Where the trip starts: "LS1", "York", "53.7997,-1.5492". CHOOSE_START or LOCATE until then, and empty where there is no
   * trip.
   */
  visit: string;
  stops: number;
  /** The ids of the leads in the order that the user chose, without those left out; empty for the computed order. */
  order: number[];
}

export const CHOOSE_START = 'choose';
/** Asks the browser for its position. */
export const LOCATE = 'me';

const DEFAULTS: VisitState = { visit: '', stops: DEFAULT_VISIT_COUNT, order: [] };

const schema = z.object({
  visit: z.string().max(100).catch(''),
  stops: z.coerce
    .number()
    .refine((count) => VISIT_COUNTS.some((known) => known === count))
    .catch(DEFAULT_VISIT_COUNT),
  order: z
    .string()
    .transform((text) => text.split(',').map(Number).filter(Number.isSafeInteger))
    .catch([]),
});

export function useVisitState() {
  const [state, change] = useUrlState<VisitState>(schema, DEFAULTS);
  const changeVisit = (changed: Partial<VisitState>, options?: ChangeOptions) =>
    change((current) => {
      const next = { ...current, ...changed };
      return next.visit ? next : DEFAULTS;
    }, options);
  return [state, changeVisit] as const;
}

/** Four decimals are 11 metres. */
export const formatPosition = ({ latitude, longitude }: Point) => `${latitude.toFixed(4)},${longitude.toFixed(4)}`;

interface StartQuery {
  near?: string;
  latitude?: string;
  longitude?: string;
}

/** The start as parameters of the call; undefined where none is chosen. */
export function toStartQuery(visit: string): StartQuery | undefined {
  if (['', CHOOSE_START, LOCATE].includes(visit)) return undefined;
  const [, latitude, longitude] = /^(-?\d{1,2}\.\d+),(-?\d{1,3}\.\d+)$/.exec(visit) ?? [];
  return latitude && longitude ? { latitude, longitude } : { near: visit };
}
