import type { Point } from '#contract/geo.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findCentre } from './local/local.sql.ts';
import { findDistrict } from './uk-districts.ts';
import { findUkPlace, parsePostcode, withoutNear } from './uk-location.ts';

export interface Located extends Point {
  name: string;
  /** The district of a complete postcode whose own position is unknown; null for every other location. */
  districtOnly: string | null;
}

/** A UK town, postcode or district by what this installation knows itself: no request leaves it. */
export async function locateOffline(db: Db, typed: string): Promise<Located | null> {
  const location = withoutNear(typed).trim();
  const place = findUkPlace(location);
  if (place) return { name: place.name, latitude: place.latitude, longitude: place.longitude, districtOnly: null };
  const postcode = parsePostcode(location);
  const centre = await findCentre(db, location);
  if (centre) return { ...centre, name: postcode ? formatPostcode(postcode) : location, districtOnly: null };
  const district = postcode && findDistrict(postcode.outward);
  if (!district) return null;
  const { code, town, latitude, longitude } = district;
  const name = town ? `${code}, ${town}` : code;
  return { name, latitude, longitude, districtOnly: postcode.complete ? code : null };
}

const formatPostcode = ({ compact, outward }: { compact: string; outward: string }) =>
  [outward, compact.slice(outward.length)].filter(Boolean).join(' ');
