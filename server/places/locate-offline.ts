import type { Db } from '#server/kit/db/db.ts';
import { findCentre } from './local/local.sql.ts';
import type { Point } from './places.ts';
import { findDistrict } from './uk-districts.ts';
import { findUkPlace, parsePostcode, withoutNear } from './uk-location.ts';

/** A UK town, postcode or district by what this installation knows itself: no request leaves it. */
export async function locateOffline(db: Db, typed: string): Promise<(Point & { name: string }) | null> {
  const location = withoutNear(typed).trim();
  const place = findUkPlace(location);
  if (place) return { name: place.name, latitude: place.latitude, longitude: place.longitude };
  const postcode = parsePostcode(location);
  const centre = await findCentre(db, location);
  if (centre) return { ...centre, name: postcode ? formatPostcode(postcode) : location };
  const district = postcode && findDistrict(postcode.outward);
  if (!district) return null;
  const { code, town, latitude, longitude } = district;
  return { name: town ? `${code}, ${town}` : code, latitude, longitude };
}

const formatPostcode = ({ compact, outward }: { compact: string; outward: string }) =>
  [outward, compact.slice(outward.length)].filter(Boolean).join(' ');
