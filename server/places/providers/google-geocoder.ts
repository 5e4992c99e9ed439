import { z } from 'zod';
import type { Point } from '#contract/geo.ts';
import * as sanitize from '#server/places/sanitize.ts';
import type { ProviderHttp } from './provider-http.ts';

const geocodeResponse = z.object({
  status: z.literal('OK'),
  results: z
    .array(
      z.object({ geometry: z.object({ location: z.object({ lat: sanitize.latitude, lng: sanitize.longitude }) }) }),
    )
    .min(1),
});

/** Google's geocoder. Its errors are ignored: a text search names the location itself. */
export function googleGeocoder(http: ProviderHttp, mapsUrl: string, key: string) {
  return async (location: string, signal: AbortSignal): Promise<Point | null> => {
    const query = new URLSearchParams({
      address: location,
      components: 'country:GB',
      region: 'uk',
      language: 'en',
      key,
    });
    const response = await http(`${mapsUrl}/maps/api/geocode/json?${query}`, {}, { signal }).catch(() => null);
    const point = geocodeResponse.safeParse(response?.json).data?.results[0]?.geometry.location;
    return point ? { latitude: point.lat, longitude: point.lng } : null;
  };
}
