import { metresBetween } from '#contract/geo.ts';
import type { ImportRow } from '#contract/import/csv-row.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { findTownOf } from '#server/places/district-town.ts';

/** No district reaches further from its centre: a position beyond is not that of the address. */
const MAX_METRES = 40_000;

/** What the postcode of a row says: the town, and about where the business is. */
export function completeRow(row: ImportRow): ImportRow {
  const district = findDistrictOf({ formattedAddress: row.address, latitude: null, longitude: null });
  if (!district) return row;
  const { latitude, longitude } = district;
  const isPlausible = row.position && metresBetween(row.position, district) <= MAX_METRES;
  return {
    ...row,
    town: row.town ?? findTownOf(district),
    position: isPlausible ? row.position : { latitude, longitude, approximate: true },
  };
}
