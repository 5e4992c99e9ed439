import { metresBetween, type Point } from '#contract/geo.ts';

const METRES_PER_DEGREE = 111_320;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The bounding box of a circle. */
export function boxAround({ latitude, longitude }: Point, radiusMetres: number) {
  const up = radiusMetres / METRES_PER_DEGREE;
  const across = up / Math.cos(radians(latitude));
  return {
    low: { latitude: latitude - up, longitude: longitude - across },
    high: { latitude: latitude + up, longitude: longitude + across },
  };
}

const CELLS_PER_DEGREE = 20;

/** The cells of a circle's bounding box, numbered as in the index places_cell_idx. */
export function cellsAround(centre: Point, radiusMetres: number): number[] {
  const { low, high } = boxAround(centre, radiusMetres);
  const line = (degrees: number) => Math.floor(degrees * CELLS_PER_DEGREE);
  const [bottom, left] = [line(low.latitude), line(low.longitude)];
  const rows = line(high.latitude) - bottom + 1;
  const columns = line(high.longitude) - left + 1;
  return Array.from(
    { length: rows * columns },
    (_, nth) => (bottom + Math.floor(nth / columns)) * 10_000 + left + (nth % columns),
  );
}

const toPoint = (place: { latitude: number | null; longitude: number | null }): Point | null =>
  place.latitude === null || place.longitude === null ? null : { latitude: place.latitude, longitude: place.longitude };

/** Metres from the centre, or null where either is unknown. */
export function distanceFrom(centre: Point | null, place: { latitude: number | null; longitude: number | null }) {
  const point = toPoint(place);
  return centre && point ? metresBetween(centre, point) : null;
}
