import { type Bakery, findBakeries, LEEDS } from './bakeries.ts';
import { type FakeRequest, type FakeResponse, fakeService } from './fake-service.ts';

// The Places API (New) and the geocoder as documented: only fields of the mask are returned.
const MASKABLE =
  /^(places\.(id|displayName|formattedAddress|shortFormattedAddress|location|types|businessStatus|googleMapsUri|iconMaskBaseUri|attributions|nationalPhoneNumber|internationalPhoneNumber|websiteUri|rating|userRatingCount|priceLevel|(current|regular)OpeningHours\.openNow)|nextPageToken)$/;
const PRICES = ['FREE', 'INEXPENSIVE', 'MODERATE', 'EXPENSIVE', 'VERY_EXPENSIVE'].map((name) => `PRICE_LEVEL_${name}`);

export const fault = (code: number, status: string, message: string, reason?: string): FakeResponse => ({
  status: code,
  body: { error: { code, message, status, ...(reason && { details: [{ '@type': 'ErrorInfo', reason }] }) } },
});
const invalid = (message: string) => fault(400, 'INVALID_ARGUMENT', message);

export const fakeGoogle = () =>
  fakeService((request) => {
    if (request.path === '/maps/api/geocode/json') return geocode(request);
    const key = String(request.headers['x-goog-api-key'] ?? '');
    if (!key) return fault(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers");
    if (key === 'bad-key') return fault(400, 'INVALID_ARGUMENT', 'API key not valid.', 'API_KEY_INVALID');
    if (key === 'disabled-key') return fault(403, 'PERMISSION_DENIED', 'Places API (New) disabled', 'SERVICE_DISABLED');
    if (key === 'quota-key') return fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', 'RATE_LIMIT_EXCEEDED');
    const mask = String(request.headers['x-goog-fieldmask'] ?? '').split(',');
    if (!mask.every((field) => MASKABLE.test(field))) return invalid('FieldMask is a required parameter');
    const body = JSON.parse(request.body);
    if (request.path === '/v1/places:searchNearby') return nearby(body, mask);
    if (request.path === '/v1/places:searchText') return text(body, mask);
    return fault(404, 'NOT_FOUND', 'no such method');
  });

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent is looked at, as a server does
function text(body: any, mask: string[]): FakeResponse {
  if (!body.textQuery) return invalid('Empty text_query');
  if (body.locationBias && body.locationRestriction) return invalid('both bias and restriction');
  if (body.locationRestriction && !body.locationRestriction.rectangle) return invalid('restriction needs a rectangle');
  if (body.locationBias?.circle?.radius > 50_000) return invalid('radius');
  if (body.pageSize < 0 || body.priceLevels?.includes('PRICE_LEVEL_FREE')) return invalid('price or page size');
  const { pageToken, pageSize = 20, ...same } = body;
  const first = JSON.stringify(same);
  const [from = '0', request = first] = pageToken ? Buffer.from(pageToken, 'base64url').toString().split('\n') : [];
  if (request !== first)
    return invalid('Request parameters for paging requests must match the initial SearchText request.');
  let found = findBakeries(body.textQuery);
  if (body.openNow) found = found.filter(({ open }) => open);
  if (body.priceLevels) found = found.filter(({ price }) => body.priceLevels.includes(PRICES[price]));
  const size = Math.min(pageSize, 20);
  const start = Number(from);
  const page = found.slice(start, start + size);
  // The last row of a page comes again on the next one, as it does in life.
  const nextStart = start + size - 1;
  // Rows that come again count, too: no token follows the sixtieth row.
  const returned = (nextStart / Math.max(size - 1, 1)) * size;
  const more = start + size < found.length && returned < 60;
  const token = Buffer.from(`${nextStart}\n${first}`).toString('base64url');
  if (!page.length) return { body: {} };
  return { body: { places: page.map((one) => row(one, mask)), ...(more && { nextPageToken: token }) } };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function nearby(body: any, mask: string[]): FakeResponse {
  const { center, radius } = body.locationRestriction?.circle ?? {};
  if (!center || !(radius > 0 && radius <= 50_000)) return invalid('circle');
  if (!(body.maxResultCount >= 1 && body.maxResultCount <= 20)) return invalid('maxResultCount');
  if (body.openNow !== undefined || body.textQuery || body.pageToken) return invalid('unknown field');
  const found = body.includedTypes?.[0] === 'bakery' ? findBakeries('bakery') : [];
  return { body: found.length ? { places: found.slice(0, body.maxResultCount).map((one) => row(one, mask)) } : {} };
}

function row(one: Bakery, mask: string[]) {
  const bare = one.number % 10 === 9;
  const whole: Record<string, unknown> = {
    id: `ChIJexample${one.number}`,
    displayName: { text: one.name, languageCode: 'en' },
    formattedAddress: `${one.street}, ${one.town} ${one.postcode}`,
    shortFormattedAddress: `${one.street}, ${one.town}`,
    location: { latitude: one.latitude, longitude: one.longitude },
    types: ['bakery', 'food_store', 'establishment'],
    businessStatus: one.number === 5 ? 'CLOSED_PERMANENTLY' : one.number === 6 ? 'FUTURE_OPENING' : 'OPERATIONAL',
    googleMapsUri: `https://maps.google.com/?cid=${one.number}`,
    iconMaskBaseUri: 'https://maps.gstatic.com/bakery',
    priceLevel: PRICES[one.price],
    ...(!bare && {
      nationalPhoneNumber: one.phone,
      internationalPhoneNumber: `+44 ${one.phone.slice(1)}`,
      websiteUri: one.website,
      rating: one.rating,
      userRatingCount: one.reviews,
      currentOpeningHours: { openNow: one.open },
    }),
  };
  const request = mask.map((field) => field.split('.')[1]);
  return Object.fromEntries(Object.entries(whole).filter(([field]) => request.includes(field)));
}

export function geocode({ query }: FakeRequest): FakeResponse {
  if (!query.get('key')) return { body: { status: 'REQUEST_DENIED', results: [] } };
  const known = /otley|leeds/i.test(query.get('address') ?? '');
  const location = { lat: LEEDS.latitude, lng: LEEDS.longitude };
  return {
    body: known ? { status: 'OK', results: [{ geometry: { location } }] } : { status: 'ZERO_RESULTS', results: [] },
  };
}
