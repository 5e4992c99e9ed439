import { AREA_NAMES } from '#contract/districts/area-names.ts';
import { areaOf } from '#contract/districts/district.ts';
import type { UkDistrict } from './uk-districts.ts';

/** Areas whose districts without a town of their own are in the city that the area is named after. */
const CITY_AREAS = new Set(['B', 'G', 'L', 'LS', 'M', 'S']);

/** The town that addresses in a district name. */
export function findTownOf({ code, town }: UkDistrict): string | null {
  const area = areaOf(code);
  const name = AREA_NAMES[area] ?? '';
  if (name.startsWith('London ')) return 'London'; // their towns are parts of it
  return town || (CITY_AREAS.has(area) ? name : null);
}
