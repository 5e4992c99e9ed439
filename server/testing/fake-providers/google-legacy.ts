import { BAKERIES, type Bakery, matching } from './bakeries.ts';
import { fakeService, type Heard, type Said } from './fake-service.ts';
import { geocode } from './google.ts';

const BASE = '/maps/api/place';
const said = (status: string, more: object = {}): Said => ({ body: { html_attributions: [], status, ...more } });

/** The older web service: errors come with HTTP 200, and a page token does not work the first times it is used. */
export function fakeGoogleLegacy({ earlyTokens = 1 } = {}) {
  const tries = new Map<string, number>();

  function search(heard: Heard, nearby: boolean): Said {
    const { query } = heard;
    const token = query.get('pagetoken');
    if (token) {
      const used = tries.get(token) ?? 0;
      tries.set(token, used + 1);
      if (used < earlyTokens) return said('INVALID_REQUEST', { results: [] });
      const [from, words = ''] = Buffer.from(token, 'base64url').toString().split('\n');
      return page(words, Number(from), nearby);
    }
    const words = query.get(nearby ? 'keyword' : 'query') ?? '';
    const byDistance = query.get('rankby') === 'distance';
    if (!words || (byDistance && query.has('radius'))) return said('INVALID_REQUEST', { results: [] });
    if (nearby && !byDistance && !query.has('radius')) return said('INVALID_REQUEST', { results: [] });
    if (query.get('opennow') === 'false') return said('INVALID_REQUEST', { results: [] });
    return page(words, 0, nearby);
  }

  return fakeService((heard) => {
    if (heard.path === '/maps/api/geocode/json') return geocode(heard);
    const { query } = heard;
    const key = query.get('key');
    const wrong = 'The provided API key is invalid.';
    if (!key || key === 'bad-key') return said('REQUEST_DENIED', { error_message: wrong, results: [] });
    if (key === 'disabled-key') return said('REQUEST_DENIED', { results: [] });
    if (key === 'quota-key') return said('OVER_QUERY_LIMIT', { results: [] });
    if (heard.path === `${BASE}/textsearch/json`) return search(heard, false);
    if (heard.path === `${BASE}/nearbysearch/json`) return search(heard, true);
    if (heard.path === `${BASE}/findplacefromtext/json`) {
      const [first] = matching(query.get('input') ?? '');
      return first ? said('OK', { candidates: [row(first, false)] }) : said('ZERO_RESULTS', { candidates: [] });
    }
    const one = BAKERIES.find(({ number }) => `ChIJlegacy${number}` === query.get('place_id'));
    return one ? said('OK', { result: detailsOf(one) }) : said('NOT_FOUND');
  });
}

function page(words: string, from: number, nearby: boolean): Said {
  const found = matching(words).slice(0, 60);
  const rows = found.slice(from, from + 20).map((one) => row(one, nearby));
  if (!rows.length) return said('ZERO_RESULTS', { results: [] });
  const next = Buffer.from(`${from + 20}\n${words}`).toString('base64url');
  return said('OK', { results: rows, ...(from + 20 < found.length && { next_page_token: next }) });
}

const addressOf = ({ street, town, postcode }: Bakery) => `${street}, ${town} ${postcode}, United Kingdom`;

const row = (one: Bakery, nearby: boolean) => ({
  place_id: `ChIJlegacy${one.number}`,
  name: one.name,
  ...(nearby ? { vicinity: `${one.street}, ${one.town}` } : { formatted_address: addressOf(one) }),
  geometry: { location: { lat: one.latitude, lng: one.longitude } },
  business_status: 'OPERATIONAL',
  opening_hours: { open_now: one.open },
  rating: one.rating,
  user_ratings_total: one.reviews,
  price_level: one.price,
  types: ['bakery', 'store'],
  icon: 'https://icons.example/bakery.png',
});

const detailsOf = (one: Bakery) => ({
  formatted_address: addressOf(one),
  vicinity: `${one.street}, ${one.town}`,
  formatted_phone_number: one.phone,
  international_phone_number: `+44 ${one.phone.slice(1)}`,
  website: one.website,
  url: `https://maps.google.com/?cid=${one.number}`,
});
