import { findType } from '#server/places/find-type.ts';
import type { PlacesQuery, Point } from '#server/places/places.ts';

const MOST = 400;
/** What makes a named thing on the map a business. */
const KEYS = ['shop', 'amenity', 'office', 'craft', 'healthcare', 'leisure', 'tourism'];

const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const pattern = (text: string) => quoted(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/** The question in Overpass's language: by the tags of a known type, else by name. */
export function overpassQuery({ businessType, method, radiusMetres }: PlacesQuery, centre: Point): string {
  const around = `(around:${Math.round(radiusMetres)},${centre.latitude},${centre.longitude})`;
  const selectors = method === 'findPlace' ? null : (findType(businessType)?.osm ?? null);
  const lines = selectors
    ? selectors.split(';').map((selector) => `nwr${selector.split('&').map(filter).join('')}["name"]${around};`)
    : KEYS.map((key) => `nwr["${key}"]["name"~${pattern(businessType)},i]${around};`);
  return `[out:json][timeout:8][maxsize:67108864];\n( ${lines.join(' ')} );\nout tags center ${MOST};`;
}

function filter(text: string): string {
  const [, key = '', operator = '=', value = ''] = /^(.+?)(!?=)(.+)$/.exec(text) ?? [];
  return `[${quoted(key)}${operator}${quoted(value)}]`;
}
`}`;
