/** In degrees. */
export interface Point {
  latitude: number;
  longitude: number;
}

const EARTH_METRES = 6_371_000;
const METRES_PER_MILE = 1_609.344;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance: the road is longer. */
export function metresBetween(a: Point, b: Point): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}

export const milesBetween = (a: Point, b: Point): number => metresBetween(a, b) / METRES_PER_MILE;

/** Of latitude; of longitude on the equator. */
export const MILES_PER_DEGREE = radians(1) * (EARTH_METRES / METRES_PER_MILE);
