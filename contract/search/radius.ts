export const METRES_PER_MILE = 1609.34;
export const DEFAULT_RADIUS_METRES = 5_000;
export const MAX_RADIUS_METRES = 50_000;
export const RADIUS_MILES = { min: 1, max: 30, default: 3 } as const;

const MILES_BELOW = 100;

export const milesToMetres = (miles: number) => Math.min(Math.round(miles * METRES_PER_MILE), MAX_RADIUS_METRES);
export const metresToMiles = (metres: number) => Math.round(metres / METRES_PER_MILE);

/** The radius to send. Nobody searches within 99 metres, so a number under 100 was meant as miles. */
export function submittedRadius(radius: number | null | undefined): number {
  if (radius === null || radius === undefined || Number.isNaN(radius)) return DEFAULT_RADIUS_METRES;
  return radius < MILES_BELOW ? milesToMetres(radius) : Math.min(radius, MAX_RADIUS_METRES);
}

export const MAX_RESULTS_INPUT = { min: 1, max: 60, default: 20 } as const;

/** The number of results to ask for; what is no number becomes the default. */
export const submittedMaxResults = (typed: number | null | undefined) =>
  typed === null || typed === undefined || Number.isNaN(typed) ? MAX_RESULTS_INPUT.default : typed;
