import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { PlacesEnv } from '#server/kit/env.ts';
import { localProvider } from './local/local.ts';
import type { PlacesProvider } from './places.ts';
import { createPostcodeLookup } from './postcodes.ts';
import { GOOGLE, googleProvider } from './providers/google.ts';
import { googleLegacyProvider } from './providers/google-legacy.ts';
import { monthlyCap, readPaidCalls } from './providers/monthly-cap.ts';
import { OSM, osmProvider } from './providers/osm.ts';
import { createProviderHttp, DEFAULT_LIMITS, type ProviderLimits } from './providers/provider-http.ts';
import { createRateLimiter } from './providers/rate-limit.ts';
import { createSearch, type Places } from './search-places.ts';

/** The open services allow one call per second and installation; 100 ms are for jitter. */
const RATE_LIMIT_MS = 1_100;

interface PlacesOptions {
  db: Db;
  env: { places: PlacesEnv; timeZone: string };
  clock: Clock;
  /** Product and version, for the User-Agent header. */
  product: string;
  limits?: ProviderLimits;
  rateLimitMs?: number;
}

/** The search of the configured provider. */
export function createPlaces(options: PlacesOptions): Places {
  const { db, env, product, limits = DEFAULT_LIMITS } = options;
  const provider = createProvider(options);
  if (provider.id === 'local') return createSearch({ db, provider, limits });
  const cap = { db, clock: options.clock, cap: env.places.monthlyCap };
  const http = createProviderHttp({ provider: 'postcodes', limits, userAgent: env.places.userAgent ?? product });
  return createSearch({
    ...{ db, provider, limits },
    findPostcode: createPostcodeLookup(http, env.places.postcodesUrl),
    ...(provider.cost.paid && { readPaidCalls: () => readPaidCalls(cap) }),
  });
}

function createProvider(options: PlacesOptions): PlacesProvider {
  const { db, env, clock, product, limits = DEFAULT_LIMITS, rateLimitMs = RATE_LIMIT_MS } = options;
  const { places, timeZone } = env;
  const userAgent = places.userAgent ?? product;
  if (places.provider === 'local') return localProvider({ db, clock, timeZone });
  if (places.provider === 'osm') {
    const createHttp = (service: string) =>
      createProviderHttp({
        provider: OSM,
        limits,
        userAgent,
        beforeRequest: createRateLimiter(db, service, rateLimitMs),
      });
    const { overpassUrl, nominatimUrl } = places;
    const [overpass, nominatim] = [createHttp('Overpass'), createHttp('Nominatim')];
    return osmProvider({ overpass, nominatim, overpassUrl, nominatimUrl, clock, timeZone });
  }
  const beforeRequest = monthlyCap({ db, clock, cap: places.monthlyCap });
  const http = createProviderHttp({ provider: GOOGLE, limits, userAgent, beforeRequest });
  const { googleKey: key, googlePlacesUrl: placesUrl, googleMapsUrl: mapsUrl } = places;
  if (places.provider === 'google') return googleProvider({ http, key, placesUrl, mapsUrl });
  return googleLegacyProvider({ http, key, mapsUrl, limits });
}
