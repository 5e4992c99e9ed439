import { AREA_NAMES } from '#contract/districts/area-names.ts';
import { areaOf } from '#contract/districts/district.ts';
import { metresBetween } from '#contract/geo.ts';
import type { ImportRow } from '#contract/import/csv-row.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import type { UkDistrict } from '#server/places/uk-districts.ts';

/** No district reaches further from its centre: a position beyond is not that of the address. */
const MAX_METRES = 40_000;

/** Areas whose districts without a town of their own are in the city that the area is named after. */
const CITY_AREAS = new Set(['B', 'G', 'L', 'LS', 'M', 'S']);

/** What the postcode of a row says: the town, and about where the business is. */
export function completeRow(row: ImportRow): ImportRow {
  const district = findDistrictOf({ formattedAddress: row.address, latitude: null, longitude: null });
  if (!district) return row;
  const { latitude, longitude } = district;
  const isPlausible = row.position && metresBetween(row.position, district) <= MAX_METRES;
  return {
    ...row,
    town: row.town ?? findTown(district),
    position: isPlausible ? row.position : { latitude, longitude, approximate: true },
  };
}

function findTown({ code, town }: UkDistrict): string | null {
  const area = areaOf(code);
  const name = AREA_NAMES[area] ?? '';
  if (name.startsWith('London ')) return 'London'; // their towns are parts of it
  return town || (CITY_AREAS.has(area) ? name : null);
}
