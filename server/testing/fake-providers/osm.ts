import { BAKERIES, type Bakery, LEEDS } from './bakeries.ts';
import { fakeService } from './fake-service.ts';

/** Overpass, Nominatim and postcodes.io on one URL; requests without our user agent are refused. */
export const fakeOpenServices = () =>
  fakeService(({ path, query, body, headers }) => {
    const named = String(headers['user-agent'] ?? '').startsWith('Highstreet');
    if (path === '/search') {
      if (!named) return { status: 403, body: '<html>Access denied</html>' };
      const known = /otley/i.test(query.get('q') ?? '');
      return { body: known ? [{ place_id: 1, lat: String(LEEDS.latitude), lon: String(LEEDS.longitude) }] : [] };
    }
    if (path === '/postcodes/LS12AB' || path === '/outcodes/LS1') return { body: { status: 200, result: LEEDS } };
    if (path === '/postcodes/LS19ZZ') return { status: 404, body: { status: 404, error: 'x', terminated: {} } };
    if (path === '/postcodes/IM11AA') return { body: { status: 200, result: { latitude: null, longitude: null } } };
    if (path !== '/api/interpreter') return { status: 404, body: { status: 404, error: 'Not found' } };
    if (!named) return { status: 406, body: '<html>Not Acceptable</html>' };
    const request = new URLSearchParams(body).get('data') ?? '';
    const pattern = /"name"~"((?:[^"\\]|\\.)*)",i/.exec(request)?.[1];
    const all = request.includes('["shop"="bakery"]');
    if (!all && pattern === undefined) return { body: { version: 0.6, elements: [] } };
    const by = new RegExp((pattern ?? '').replace(/\\(["\\])/g, '$1'), 'i');
    const found = BAKERIES.filter(({ name }) => all || by.test(name));
    return { body: { version: 0.6, elements: found.map(element) } };
  });

function element(one: Bakery) {
  const tags = {
    shop: 'bakery',
    name: one.name,
    'addr:street': one.street,
    'addr:city': one.town,
    'addr:postcode': one.postcode,
    phone: `+44 ${one.phone.slice(1)};+44 113 496 0999`,
    'contact:website': one.website,
    opening_hours: one.open ? '24/7' : 'Mo-Su off',
  };
  const { latitude: lat, longitude: lon } = one;
  return one.number % 2
    ? { type: 'node', id: 900_000_000 + one.number, lat, lon, tags }
    : { type: 'way', id: 900_000_000 + one.number, center: { lat, lon }, tags };
}
