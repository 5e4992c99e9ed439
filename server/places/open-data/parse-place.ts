import { z } from 'zod';
import { latitude, longitude, MAX_LENGTH, nullIfInvalid, parseWebsite, truncate } from '#server/places/sanitize.ts';

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

export type SkipReason =
  | 'not readable'
  | 'no name'
  | 'no place on the map'
  | 'outside the United Kingdom'
  | 'not sure to exist'
  | 'closed for good';
type ParseResult = { place: LoadedPlace } | { skipped: SkipReason };

/** `line` counts from 1; in a Parquet file it is the row. */
export type ReadPlace = { line: number } & ParseResult;

/** A file of places, of which only a part is in memory. */
export interface PlacesFile {
  /** The places after this line. */
  readPlaces(afterLine: number): AsyncGenerator<ReadPlace>;
  /** From 0 to 1. */
  progress(): number;
  close(): Promise<void>;
}

const MIN_CONFIDENCE = 0.5;
const STATUS: Record<string, string> = { open: 'OPERATIONAL', temporarily_closed: 'CLOSED_TEMPORARILY' };

const texts = nullIfInvalid(z.array(z.string()));
const feature = z.object({
  id: z.string().regex(/^[\w.:-]{1,290}$/),
  geometry: nullIfInvalid(
    z.object({ type: z.literal('Point'), coordinates: z.tuple([longitude, latitude]).rest(z.number()) }),
  ),
  properties: z.object({
    names: nullIfInvalid(z.object({ primary: nullIfInvalid(z.string()) })),
    basic_category: nullIfInvalid(z.string()),
    taxonomy: nullIfInvalid(
      z.object({ primary: nullIfInvalid(z.string()), hierarchy: texts, alternates: texts, alternate: texts }),
    ),
    categories: nullIfInvalid(z.object({ primary: nullIfInvalid(z.string()), alternate: texts })),
    confidence: nullIfInvalid(z.number()),
    operating_status: nullIfInvalid(z.string()),
    addresses: nullIfInvalid(
      z.array(
        z.object({
          freeform: nullIfInvalid(z.string()),
          locality: nullIfInvalid(z.string()),
          postcode: nullIfInvalid(z.string()),
          country: nullIfInvalid(z.string()),
        }),
      ),
    ),
    phones: texts,
    websites: texts,
    emails: texts,
  }),
});

/** Parses a GeoJSON feature of Overture's places. Every property may be missing. */
export function parseFeature(value: unknown): ParseResult {
  const read = feature.safeParse(value);
  if (!read.success) return { skipped: 'not readable' };
  const { id, geometry, properties } = read.data;
  const name = truncate(properties.names?.primary, MAX_LENGTH.name);
  if (!name) return { skipped: 'no name' };
  if (!geometry) return { skipped: 'no place on the map' };
  const [lng, lat] = geometry.coordinates;
  const [address] = properties.addresses ?? [];
  if (!isInUk(lat, lng) || (address?.country && address.country !== 'GB')) {
    return { skipped: 'outside the United Kingdom' };
  }
  if ((properties.confidence ?? 1) < MIN_CONFIDENCE) return { skipped: 'not sure to exist' };
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
      address: truncate(address?.freeform, 200),
      town: truncate(address?.locality, 100),
      postcode: truncate(address?.postcode, 10),
      phone: truncate(properties.phones?.[0], MAX_LENGTH.phone),
      website: pickWebsite(properties.websites),
      email: truncate(properties.emails?.[0], 254),
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

/** Parses a CSV row. The columns id, name, latitude and longitude are required. */
export function parseCsvPlace(columns: Map<string, string>): ParseResult {
  const text = (name: string, maxLength: number) => truncate(columns.get(name), maxLength);
  const number = (column: string, min: number, max: number) => {
    const value = columns.get(column) ? Number(columns.get(column)) : Number.NaN;
    return value >= min && value <= max ? value : null;
  };
  const integer = (column: string, max: number) => {
    const value = number(column, 0, max);
    return value === null ? null : Math.round(value);
  };
  const id = columns.get('id') ?? '';
  if (!/^[\w.:-]{1,290}$/.test(id)) return { skipped: 'not readable' };
  const name = text('name', MAX_LENGTH.name);
  if (!name) return { skipped: 'no name' };
  const [lat, lng] = [number('latitude', -90, 90), number('longitude', -180, 180)];
  if (lat === null || lng === null) return { skipped: 'no place on the map' };
  if (!isInUk(lat, lng)) return { skipped: 'outside the United Kingdom' };
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
      phone: text('phone', MAX_LENGTH.phone),
      website: parseWebsite(columns.get('website')),
      email: text('email', 254),
      latitude: lat,
      longitude: lng,
      rating: number('rating', 0, 5),
      userRatingsTotal: integer('reviews', 2_147_483_647),
      priceLevel: integer('price_level', 4),
      businessStatus: text('status', MAX_LENGTH.status),
      openingHours: text('opening_hours', 255),
    },
  };
}

// The bounding box of the United Kingdom in Overture's examples.
const isInUk = (lat: number, lng: number) => lng >= -8.7 && lng <= 1.8 && lat >= 49.8 && lat <= 60.9;

const distinct = (values: (string | null | undefined)[]) => [
  ...new Set(values.flatMap((value) => truncate(value?.toLowerCase(), MAX_LENGTH.type) ?? [])),
];

const pickWebsite = (values: string[] | null | undefined) => {
  const websites = (values ?? []).flatMap((value) => parseWebsite(value) ?? []);
  const social = /^https?:\/\/([\w-]+\.)*(facebook|instagram|twitter|x|linkedin|tiktok)\.com\//i;
  return websites.find((value) => !social.test(value)) ?? websites[0] ?? null;
};
