import { z } from 'zod';
import * as clean from '#server/places/clean.ts';
import type { Point } from '#server/places/places.ts';
import type { Ask } from './ask.ts';

const response = z.object({
  status: z.literal('OK'),
  results: z
    .array(z.object({ geometry: z.object({ location: z.object({ lat: clean.latitude, lng: clean.longitude }) }) }))
    .min(1),
});

/** Google's geocoder. Without its answer a text search still names the location, so a refusal is no matter. */
export function googleGeocoder(ask: Ask, mapsUrl: string, key: string) {
  return async (location: string, signal: AbortSignal): Promise<Point | null> => {
    const query = new URLSearchParams({
      address: location,
      components: 'country:GB',
      region: 'uk',
      language: 'en',
      key,
    });
    const reply = await ask(`${mapsUrl}/maps/api/geocode/json?${query}`, {}, signal).catch(() => null);
    const point = response.safeParse(reply?.json).data?.results[0]?.geometry.location;
    return point ? { latitude: point.lat, longitude: point.lng } : null;
  };
}
