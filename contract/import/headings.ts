import { listHeadings } from '../leads/fields/lead-field.ts';
import { IMPORTED_FIELDS } from '../leads/fields/lead-fields.ts';
import type { ImportTarget } from './import-target.ts';

/** Headings in use by each target, the best first: of "Mobile" and "Phone", the phone number is in "Phone". */
export const HEADINGS: readonly (readonly [ImportTarget, readonly string[]])[] = [
  ...IMPORTED_FIELDS.map(({ column, headings }) => [column, headings] as const),
  [
    'Postcode',
    listHeadings('postcode, post code, postal code, zip code, zip, zip postcode, zip postal code, postcode zip, pcode'),
  ],
  ['Latitude', listHeadings('latitude, lat')],
  ['Longitude', listHeadings('longitude, lng, lon, long')],
  ['Place ID', listHeadings('place id, google place id')],
];

/** What says whose value a column has: "Organization - Address", "RegAddress.PostTown", "Billing City". */
const BUSINESS_WORDS = 'business company organisation organization org account establishment shop store place'.split(
  ' ',
);
const PERSON_WORDS = 'person contact people'.split(' ');
const OTHER_WORDS = 'reg registered address billing mailing main primary geocode geo location lead google my'.split(
  ' ',
);

/** Known, and of no use to a lead: numbers of other systems, dates, ratings, and what the postcode says already. */
const NOT_NEEDED = new RegExp(
  [
    /^(local authority|scheme type|new rating|uri|po box|care of|plus code|claimed|kgmid|cid|fhrsid|timezone|permalink)/,
    /^(county|state|province|region|borough|country)( |$)/,
    /\b(ratings?|stars|reviews?|score|count|deals|activities|maps|image|images|photo|thumbnail|logo|street view)\b/,
    /\b(ids?|dates?|time|timestamp|created|modified|updated)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** In words, split at case, dots, slashes, dashes and digits; without the digits, which number columns of one kind. */
export const normalizeHeading = (heading: string) =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();

/** What a heading may mean, the most literal first: "organization name" is a "business name". */
export function listMeanings(heading: string): string[] {
  const words = normalizeHeading(heading).split(' ').filter(Boolean);
  const meanings = [words.join(' ')];
  for (let whose = ''; words.length > 1; ) {
    const [first = ''] = words;
    if (BUSINESS_WORDS.includes(first)) whose = 'business ';
    else if (PERSON_WORDS.includes(first)) whose = 'contact ';
    else if (!OTHER_WORDS.includes(first)) break;
    words.shift();
    const rest = words.join(' ');
    meanings.push(rest === 'name' ? `${whose}name` : rest);
  }
  return meanings;
}

export const isNotNeeded = (heading: string) => listMeanings(heading).some((meaning) => NOT_NEEDED.test(meaning));
