import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { PlacesEnv } from '#server/kit/env.ts';
import { localProvider } from './local/local.ts';
import type { PlacesProvider } from './places.ts';
import { postcodes } from './postcodes.ts';
import { createAsk, LIMITS, type Limits } from './providers/ask.ts';
import { GOOGLE, googleProvider } from './providers/google.ts';
import { googleLegacyProvider } from './providers/google-legacy.ts';
import { OSM, osmProvider } from './providers/osm.ts';
import { paidCalls } from './providers/paid-calls.ts';
import { type Places, searchPlaces } from './search-places.ts';
import { turns } from './turns.ts';

/** The open services ask for no more than one call a second from a whole installation; the rest is for the network. */
const PAUSE_MS = 1_100;

export interface PlacesParts {
  db: Db;
  env: { places: PlacesEnv; timeZone: string };
  clock: Clock;
  /** Product and version, for services that want to know who asks. */
  product: string;
  limits?: Limits;
  pauseMs?: number;
}

/** The places provider that this installation has chosen. */
export function createPlaces(parts: PlacesParts): Places {
  const { db, env, product, limits = LIMITS } = parts;
  const provider = providerOf(parts);
  if (provider.id === 'local') return searchPlaces({ db, provider, limits });
  const ask = createAsk({ provider: 'postcodes', limits, userAgent: env.places.userAgent ?? product });
  return searchPlaces({ db, provider, limits, postcode: postcodes(ask, env.places.postcodesUrl) });
}

function providerOf({ db, env, clock, product, limits = LIMITS, pauseMs = PAUSE_MS }: PlacesParts): PlacesProvider {
  const { places, timeZone } = env;
  const userAgent = places.userAgent ?? product;
  if (places.provider === 'local') return localProvider({ db, clock, timeZone });
  if (places.provider === 'osm') {
    const polite = (service: string) =>
      createAsk({ provider: OSM, limits, userAgent, before: turns(db, service, pauseMs) });
    const { overpassUrl, nominatimUrl } = places;
    const asking = { askOverpass: polite('Overpass'), askNominatim: polite('Nominatim') };
    return osmProvider({ ...asking, overpassUrl, nominatimUrl, clock, timeZone });
  }
  const before = paidCalls({ db, clock, monthlyCap: places.monthlyCap });
  const ask = createAsk({ provider: GOOGLE, limits, userAgent, before });
  const { googleKey: key, googlePlacesUrl: placesUrl, googleMapsUrl: mapsUrl } = places;
  if (places.provider === 'google') return googleProvider({ ask, key, placesUrl, mapsUrl });
  return googleLegacyProvider({ ask, key, mapsUrl, limits });
}
