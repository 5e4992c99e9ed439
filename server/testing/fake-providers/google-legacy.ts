import { BAKERIES, type Bakery, findBakeries } from './bakeries.ts';
import { type FakeRequest, type FakeResponse, fakeService } from './fake-service.ts';
import { geocode } from './google.ts';

const BASE = '/maps/api/place';
const toResponse = (status: string, more: object = {}): FakeResponse => ({
  body: { html_attributions: [], status, ...more },
});

/** The older web service: errors come with HTTP 200, and a page token does not work the first times it is used. */
export function fakeGoogleLegacy({ earlyTokens = 1 } = {}) {
  const tries = new Map<string, number>();

  function search(request: FakeRequest, nearby: boolean): FakeResponse {
    const { query } = request;
    const token = query.get('pagetoken');
    if (token) {
      const used = tries.get(token) ?? 0;
      tries.set(token, used + 1);
      if (used < earlyTokens) return toResponse('INVALID_REQUEST', { results: [] });
      const [from, words = ''] = Buffer.from(token, 'base64url').toString().split('\n');
      return page(words, Number(from), nearby);
    }
    const words = query.get(nearby ? 'keyword' : 'query') ?? '';
    const byDistance = query.get('rankby') === 'distance';
    if (!words || (byDistance && query.has('radius'))) return toResponse('INVALID_REQUEST', { results: [] });
    if (nearby && !byDistance && !query.has('radius')) return toResponse('INVALID_REQUEST', { results: [] });
    if (query.get('opennow') === 'false') return toResponse('INVALID_REQUEST', { results: [] });
    return page(words, 0, nearby);
  }

  return fakeService((request) => {
    if (request.path === '/maps/api/geocode/json') return geocode(request);
    const { query } = request;
    const key = query.get('key');
    const wrong = 'The provided API key is invalid.';
    if (!key || key === 'bad-key') return toResponse('REQUEST_DENIED', { error_message: wrong, results: [] });
    if (key === 'disabled-key') return toResponse('REQUEST_DENIED', { results: [] });
    if (key === 'quota-key') return toResponse('OVER_QUERY_LIMIT', { results: [] });
    if (request.path === `${BASE}/textsearch/json`) return search(request, false);
    if (request.path === `${BASE}/nearbysearch/json`) return search(request, true);
    if (request.path === `${BASE}/findplacefromtext/json`) {
      const [first] = findBakeries(query.get('input') ?? '');
      return first
        ? toResponse('OK', { candidates: [row(first, false)] })
        : toResponse('ZERO_RESULTS', { candidates: [] });
    }
    const one = BAKERIES.find(({ number }) => `ChIJlegacy${number}` === query.get('place_id'));
    return one ? toResponse('OK', { result: toDetails(one) }) : toResponse('NOT_FOUND');
  });
}

function page(words: string, from: number, nearby: boolean): FakeResponse {
  const found = findBakeries(words).slice(0, 60);
  const rows = found.slice(from, from + 20).map((one) => row(one, nearby));
  if (!rows.length) return toResponse('ZERO_RESULTS', { results: [] });
  const next = Buffer.from(`${from + 20}\n${words}`).toString('base64url');
  return toResponse('OK', { results: rows, ...(from + 20 < found.length && { next_page_token: next }) });
}

const formatAddress = ({ street, town, postcode }: Bakery) => `${street}, ${town} ${postcode}, United Kingdom`;

const row = (one: Bakery, nearby: boolean) => ({
  place_id: `ChIJlegacy${one.number}`,
  name: one.name,
  ...(nearby ? { vicinity: `${one.street}, ${one.town}` } : { formatted_address: formatAddress(one) }),
  geometry: { location: { lat: one.latitude, lng: one.longitude } },
  business_status: 'OPERATIONAL',
  opening_hours: { open_now: one.open },
  rating: one.rating,
  user_ratings_total: one.reviews,
  price_level: one.price,
  types: ['bakery', 'store'],
  icon: 'https://icons.example/bakery.png',
});

const toDetails = (one: Bakery) => ({
  formatted_address: formatAddress(one),
  vicinity: `${one.street}, ${one.town}`,
  formatted_phone_number: one.phone,
  international_phone_number: `+44 ${one.phone.slice(1)}`,
  website: one.website,
  url: `https://maps.google.com/?cid=${one.number}`,
});
