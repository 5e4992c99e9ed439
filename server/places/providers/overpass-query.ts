import type { Point } from '#contract/geo.ts';
import { findType } from '#server/places/find-type.ts';
import type { PlacesQuery } from '#server/places/places.ts';

/** Of one response; Overpass says nothing about those that it leaves out. */
export const MAX_ELEMENTS = 400;
/** The tags of businesses. */
const KEYS = ['shop', 'amenity', 'office', 'craft', 'healthcare', 'leisure', 'tourism'];

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const escapePattern = (text: string) => quote(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/** A query in Overpass QL: by the tags of a known type, else by name. */
export function buildOverpassQuery({ businessType, method, radiusMetres }: PlacesQuery, centre: Point): string {
  const around = `(around:${Math.round(radiusMetres)},${centre.latitude},${centre.longitude})`;
  const selectors = method === 'findPlace' ? null : (findType(businessType)?.osm ?? null);
  const lines = selectors
    ? selectors.split(';').map((selector) => `nwr${selector.split('&').map(toFilter).join('')}["name"]${around};`)
    : KEYS.map((key) => `nwr["${key}"]["name"~${escapePattern(businessType)},i]${around};`);
  return `[out:json][timeout:8][maxsize:67108864];\n( ${lines.join(' ')} );\nout tags center ${MAX_ELEMENTS};`;
}

function toFilter(text: string): string {
  const [, key = '', operator = '=', value = ''] = /^(.+?)(!?=)(.+)$/.exec(text) ?? [];
  return `[${quote(key)}${operator}${quote(value)}]`;
}
`}`;
