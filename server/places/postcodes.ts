import { z } from 'zod';
import type { Point } from '#contract/geo.ts';
import type { ProviderHttp } from './providers/provider-http.ts';
import { parsePostcode } from './uk-location.ts';

const postcodeResponse = z.object({
  result: z.object({ latitude: z.number().nullable(), longitude: z.number().nullable() }),
});

/** Looks up a postcode or outward code. Null when it is unknown or retired, or the service fails. */
export function createPostcodeLookup(http: ProviderHttp, baseUrl: string) {
  return async (location: string, signal: AbortSignal): Promise<Point | null> => {
    const postcode = parsePostcode(location);
    if (!postcode) return null;
    const path = postcode.complete ? 'postcodes' : 'outcodes';
    const response = await http(`${baseUrl}/${path}/${encodeURIComponent(postcode.compact)}`, {}, { signal }).catch(
      () => null,
    );
    const { latitude, longitude } = postcodeResponse.safeParse(response?.json).data?.result ?? {};
    return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null;
  };
}
