export const METRES_PER_MILE = 1609.34;
export const DEFAULT_RADIUS_METRES = 5_000;
export const MAX_RADIUS_METRES = 50_000;
export const RADIUS_MILES = { min: 1, max: 30, default: 3 } as const;

const MILES_THRESHOLD = 100;

export const milesToMetres = (miles: number) => Math.min(Math.round(miles * METRES_PER_MILE), MAX_RADIUS_METRES);

/** The radius to submit in metres. A number under 100 is taken as miles: 99 metres is no useful radius. */
export function submittedRadius(radius: number | null | undefined): number {
  if (radius === null || radius === undefined || Number.isNaN(radius)) return DEFAULT_RADIUS_METRES;
  return radius < MILES_THRESHOLD ? milesToMetres(radius) : Math.min(radius, MAX_RADIUS_METRES);
}

export const MAX_RESULTS_INPUT = { min: 1, max: 60, default: 20 } as const;

/** The number of results to submit; the default when the input is not a number. */
export const submittedMaxResults = (value: number | null | undefined) =>
  value === null || value === undefined || Number.isNaN(value) ? MAX_RESULTS_INPUT.default : value;
