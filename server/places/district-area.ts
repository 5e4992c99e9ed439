import type { Point } from '#contract/geo.ts';
import { findDistrict, UK_DISTRICTS, type UkDistrict } from './uk-districts.ts';

const METRES_PER_DEGREE = 111_320;
const MIN_METRES = 1_500;
/** On coasts and in the Highlands. */
const MAX_METRES = 20_000;
/** The corners of an area may be between two directions, and real borders are not half-way between centres. */
const MARGIN = 1.1;
const DIRECTIONS = Array.from({ length: 72 }, (_, nth) => (nth * Math.PI) / 36);
const POSTCODE = /\b([A-Z]{1,2}[0-9][A-Z0-9]?)\s*[0-9][A-Z]{2}\b/gi;

/**
 * The radius of a circle around a district's centre that contains its area: what is nearer to this centre than to any
 * other, because only the centres of districts are known.
 */
export function findDistrictRadius(district: UkDistrict): number {
  const others = listOffsets(district);
  let radius = 0;
  for (const angle of DIRECTIONS) {
    const [east, north] = [Math.cos(angle), Math.sin(angle)];
    // A line from the centre leaves the area at the first line that is half-way to another centre.
    let edge = MAX_METRES;
    for (const { x, y } of others) {
      const towards = east * x + north * y;
      if (towards > 0) edge = Math.min(edge, (x ** 2 + y ** 2) / (2 * towards));
    }
    radius = Math.max(radius, edge);
  }
  return Math.round(Math.min(MAX_METRES, Math.max(MIN_METRES, MARGIN * radius)));
}

interface Located {
  formattedAddress: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** The district of a place: that of its postcode, else the nearest one. */
export function findDistrictOf({ formattedAddress, latitude, longitude }: Located): UkDistrict | undefined {
  const outward = [...(formattedAddress ?? '').matchAll(POSTCODE)].at(-1)?.[1];
  const named = outward && findDistrict(outward);
  if (named) return named;
  return latitude === null || longitude === null ? undefined : findNearestDistrict({ latitude, longitude });
}

export function findNearestDistrict(point: Point): UkDistrict | undefined {
  let nearest: UkDistrict | undefined;
  let least = Number.POSITIVE_INFINITY;
  const scale = longitudeScale(point);
  for (const district of UK_DISTRICTS) {
    const north = district.latitude - point.latitude;
    const east = (district.longitude - point.longitude) * scale;
    const distance = north * north + east * east;
    if (distance >= least) continue;
    least = distance;
    nearest = district;
  }
  return nearest;
}

/** The other centres that may bound the area, in metres, on a plane that touches the earth here. */
function listOffsets(from: Point): { x: number; y: number }[] {
  const reach = 2 * MAX_METRES;
  const scale = longitudeScale(from);
  const offsets: { x: number; y: number }[] = [];
  for (const { latitude, longitude } of UK_DISTRICTS) {
    const y = (latitude - from.latitude) * METRES_PER_DEGREE;
    if (Math.abs(y) > reach) continue;
    const x = (longitude - from.longitude) * METRES_PER_DEGREE * scale;
    if (Math.abs(x) <= reach && (x !== 0 || y !== 0)) offsets.push({ x, y });
  }
  return offsets;
}

/** A degree of longitude in degrees of latitude. */
const longitudeScale = ({ latitude }: Point) => Math.cos((latitude * Math.PI) / 180);
