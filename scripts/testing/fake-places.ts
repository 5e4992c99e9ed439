// Fakes of all places services in one process. Stories start it and configure the product with its URLs.

import type { FakeResponse } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle, fault } from '#server/testing/fake-providers/google.ts';
import { fakeGoogleLegacy } from '#server/testing/fake-providers/google-legacy.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';

/** The response of the fake Google to a search for this business type. */
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
  // The first page of this one succeeds.
  if (textQuery === 'Corner' && pageToken) return FAULTS['fault down'];
  return FAULTS[textQuery];
});
console.log(JSON.stringify({ google: google.url, googleLegacy: googleLegacy.url, osm: osm.url }));

// Ends with the process that started it: then stdin is closed.
process.stdin.resume().once('end', () => process.exit(0));
