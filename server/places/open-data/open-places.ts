import { z } from 'zod';
import { cut, LENGTH, latitude, longitude, maybe, website } from '#server/places/clean.ts';

export interface LoadedPlace {
  source: string;
  sourceId: string;
  name: string;
  categories: string[];
  address: string | null;
  town: string | null;
  postcode: string | null;
  phone: string | null;
  website: string | null;
  email: string | null;
  latitude: number;
  longitude: number;
  rating: number | null;
  userRatingsTotal: number | null;
  priceLevel: number | null;
  businessStatus: string | null;
  openingHours: string | null;
}

export type Skipped =
  | 'not readable'
  | 'no name'
  | 'no place on the map'
  | 'outside the United Kingdom'
  | 'not sure to exist'
  | 'closed for good';
type Read = { place: LoadedPlace } | { skipped: Skipped };

const LEAST_CONFIDENCE = 0.5;
const STATUS: Record<string, string> = { open: 'OPERATIONAL', temporarily_closed: 'CLOSED_TEMPORARILY' };

const texts = maybe(z.array(z.string()));
const feature = z.object({
  id: z.string().regex(/^[\w.:-]{1,290}$/),
  geometry: maybe(z.object({ type: z.literal('Point'), coordinates: z.tuple([longitude, latitude]).rest(z.number()) })),
  properties: z.object({
    names: maybe(z.object({ primary: maybe(z.string()) })),
    basic_category: maybe(z.string()),
    taxonomy: maybe(z.object({ primary: maybe(z.string()), hierarchy: texts, alternates: texts, alternate: texts })),
    categories: maybe(z.object({ primary: maybe(z.string()), alternate: texts })),
    confidence: maybe(z.number()),
    operating_status: maybe(z.string()),
    addresses: maybe(
      z.array(
        z.object({
          freeform: maybe(z.string()),
          locality: maybe(z.string()),
          postcode: maybe(z.string()),
          country: maybe(z.string()),
        }),
      ),
    ),
    phones: texts,
    websites: texts,
    emails: texts,
  }),
});

/** A feature of Overture's places. Every property may be missing. */
export function fromFeature(given: unknown): Read {
  const read = feature.safeParse(given);
  if (!read.success) return { skipped: 'not readable' };
  const { id, geometry, properties } = read.data;
  const name = cut(properties.names?.primary, LENGTH.name);
  if (!name) return { skipped: 'no name' };
  if (!geometry) return { skipped: 'no place on the map' };
  const [lng, lat] = geometry.coordinates;
  const [address] = properties.addresses ?? [];
  if (!inTheUk(lat, lng) || (address?.country && address.country !== 'GB')) {
    return { skipped: 'outside the United Kingdom' };
  }
  if ((properties.confidence ?? 1) < LEAST_CONFIDENCE) return { skipped: 'not sure to exist' };
  if (properties.operating_status === 'permanently_closed') return { skipped: 'closed for good' };
  const { taxonomy, categories } = properties;
  return {
    place: {
      source: 'overture',
      sourceId: `ovt-${id}`,
      name,
      categories: distinct([
        taxonomy?.primary ?? categories?.primary ?? properties.basic_category,
        ...(taxonomy?.hierarchy ?? []),
        ...(taxonomy?.alternates ?? taxonomy?.alternate ?? categories?.alternate ?? []),
        properties.basic_category,
      ]),
      address: cut(address?.freeform, 200),
      town: cut(address?.locality, 100),
      postcode: cut(address?.postcode, 10),
      phone: cut(properties.phones?.[0], LENGTH.phone),
      website: firstWebsite(properties.websites),
      email: cut(properties.emails?.[0], 254),
      latitude: lat,
      longitude: lng,
      rating: null,
      userRatingsTotal: null,
      priceLevel: null,
      businessStatus: STATUS[properties.operating_status ?? ''] ?? null,
      openingHours: null,
    },
  };
}

/** A row of our own columns: id, name, latitude and longitude are needed, the others may be missing. */
export function fromCsv(columns: Map<string, string>): Read {
  const text = (name: string, most: number) => cut(columns.get(name), most);
  const number = (column: string, least: number, most: number) => {
    const value = columns.get(column) ? Number(columns.get(column)) : Number.NaN;
    return value >= least && value <= most ? value : null;
  };
  const whole = (column: string, most: number) => {
    const value = number(column, 0, most);
    return value === null ? null : Math.round(value);
  };
  const id = columns.get('id') ?? '';
  if (!/^[\w.:-]{1,290}$/.test(id)) return { skipped: 'not readable' };
  const name = text('name', LENGTH.name);
  if (!name) return { skipped: 'no name' };
  const [lat, lng] = [number('latitude', -90, 90), number('longitude', -180, 180)];
  if (lat === null || lng === null) return { skipped: 'no place on the map' };
  if (!inTheUk(lat, lng)) return { skipped: 'outside the United Kingdom' };
  if (columns.get('status') === 'CLOSED_PERMANENTLY') return { skipped: 'closed for good' };
  return {
    place: {
      source: 'csv',
      sourceId: `csv-${id}`,
      name,
      categories: distinct((columns.get('categories') ?? '').split(';')),
      address: text('address', 200),
      town: text('town', 100),
      postcode: text('postcode', 10),
      phone: text('phone', LENGTH.phone),
      website: website(columns.get('website')),
      email: text('email', 254),
      latitude: lat,
      longitude: lng,
      rating: number('rating', 0, 5),
      userRatingsTotal: whole('reviews', 2_147_483_647),
      priceLevel: whole('price_level', 4),
      businessStatus: text('status', LENGTH.status),
      openingHours: text('opening_hours', 255),
    },
  };
}

// The box that Overture's own examples use for the United Kingdom.
const inTheUk = (lat: number, lng: number) => lng >= -8.7 && lng <= 1.8 && lat >= 49.8 && lat <= 60.9;

const distinct = (values: (string | null | undefined)[]) => [
  ...new Set(values.flatMap((value) => cut(value?.toLowerCase(), LENGTH.type) ?? [])),
];

const firstWebsite = (values: string[] | null | undefined) => {
  const all = (values ?? []).flatMap((value) => website(value) ?? []);
  const social = /^https?:\/\/([\w-]+\.)*(facebook|instagram|twitter|x|linkedin|tiktok)\.com\//i;
  return all.find((value) => !social.test(value)) ?? all[0] ?? null;
};
