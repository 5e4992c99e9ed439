// The places services of the outside world, as a process of their own: stories start it and point the product at it.

import type { FakeResponse } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle, fault } from '#server/testing/fake-providers/google.ts';
import { fakeGoogleLegacy } from '#server/testing/fake-providers/google-legacy.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';

/** What Google says to a search for one of these instead of businesses. */
const FAULTS: Record<string, FakeResponse> = {
  'fault quota': fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', 'RATE_LIMIT_EXCEEDED'),
  'fault denied': fault(403, 'PERMISSION_DENIED', 'Places API (New) disabled', 'SERVICE_DISABLED'),
  'fault key': fault(400, 'INVALID_ARGUMENT', 'API key not valid.', 'API_KEY_INVALID'),
  'fault invalid': fault(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'),
  'fault down': { status: 503, body: '<html>Service Unavailable</html>' },
  'fault malformed': { body: '{"places":[{"id":', headers: { 'content-type': 'application/json' } },
  'fault huge': { body: { places: [], padding: 'x'.repeat(6 * 1024 * 1024) } },
  'fault silent': { silent: true },
};

const [google, googleLegacy, osm] = await Promise.all([fakeGoogle(), fakeGoogleLegacy(), fakeOpenServices()]);
google.overrideResponses(({ body }) => {
  const { textQuery = '', pageToken } = body ? JSON.parse(body) : {};
  // The first page of these is answered well.
  if (textQuery === 'Corner' && pageToken) return FAULTS['fault down'];
  return FAULTS[textQuery];
});
console.log(JSON.stringify({ google: google.url, googleLegacy: googleLegacy.url, osm: osm.url }));

// They live as long as whoever started them holds the other end of the pipe.
process.stdin.resume().once('end', () => process.exit(0));
