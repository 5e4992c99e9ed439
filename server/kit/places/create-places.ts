import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { PlacesEnv } from '#server/kit/env.ts';
import { LIMITS, type Limits } from './ask.ts';
import { localProvider } from './local.ts';
import { type Places, searchPlaces } from './search-places.ts';

export interface PlacesParts {
  db: Db;
  env: { places: PlacesEnv; timeZone: string };
  clock: Clock;
  /** Product and version, for services that want to know who asks. */
  product: string;
  limits?: Limits;
}

/** The places provider that this installation has chosen. */
export function createPlaces({ db, env, clock, limits = LIMITS }: PlacesParts): Places {
  return searchPlaces({ db, provider: localProvider({ db, clock, timeZone: env.timeZone }), limits });
}
