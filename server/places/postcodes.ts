import { z } from 'zod';
import type { Point } from './places.ts';
import type { Ask } from './providers/ask.ts';
import { postcodeIn } from './uk-location.ts';

const response = z.object({
  result: z.object({ latitude: z.number().nullable(), longitude: z.number().nullable() }),
});

/** Where a postcode is, or its first half; null when it is unknown, retired, or the service does not answer. */
export function postcodes(ask: Ask, baseUrl: string) {
  return async (location: string, signal: AbortSignal): Promise<Point | null> => {
    const postcode = postcodeIn(location);
    if (!postcode) return null;
    const path = postcode.whole ? 'postcodes' : 'outcodes';
    const reply = await ask(`${baseUrl}/${path}/${encodeURIComponent(postcode.compact)}`, {}, signal).catch(() => null);
    const { latitude, longitude } = response.safeParse(reply?.json).data?.result ?? {};
    return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null;
  };
}
