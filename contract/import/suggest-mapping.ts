import { phone } from '../leads/phone.ts';
import { parseWebsite } from '../leads/website.ts';
import { type ImportTarget, JOINED_TARGETS } from './import-job.ts';

/** A column of a file with its first values. */
export interface ColumnSample {
  heading: string;
  values: string[];
}

/** Headings in use by each target, the best first: of "Mobile" and "Phone", the phone number is in "Phone". */
const HEADINGS: [ImportTarget, string[]][] = [
  [
    'Business Name',
    [
      'business name',
      'company name',
      'trading name',
      'trading as',
      'organisation name',
      'organization name',
      'account name',
      'shop name',
      'store name',
      'practice name',
      'venue name',
      'customer name',
      'client name',
      'business',
      'company',
      'organisation',
      'organization',
      'shop',
      'store',
      'venue',
      'firm',
      'account',
      'customer',
      'client',
      'name',
    ],
  ],
  [
    'Address',
    [
      'address',
      'full address',
      'street address',
      'business address',
      'company address',
      'postal address',
      'street',
      'street name',
      'road',
      ...['address line', 'address', 'street', 'street address'].flatMap((word) =>
        [1, 2, 3, 4].map((nth) => `${word} ${nth}`),
      ),
    ],
  ],
  ['Town', ['town', 'city', 'town city', 'city town', 'town or city', 'post town', 'locality', 'location']],
  [
    'Postcode',
    ['postcode', 'post code', 'postal code', 'zip code', 'zip', 'zip postcode', 'zip postal code', 'postcode zip'],
  ],
  [
    'Contact Name',
    [
      'contact name',
      'contact person',
      'contact',
      'primary contact',
      'main contact',
      'key contact',
      'full name',
      'owner name',
      'manager name',
      'proprietor',
      'decision maker',
      'first name',
      'forename',
      'given name',
      'last name',
      'surname',
      'family name',
      'name',
    ],
  ],
  [
    'Phone',
    [
      'phone',
      'phone number',
      'telephone',
      'telephone number',
      'tel',
      'tel no',
      'tel number',
      'telephone no',
      'phone no',
      'business phone',
      'company phone',
      'main phone',
      'work phone',
      'primary phone',
      'office phone',
      'landline',
      'contact number',
      'contact phone',
      'mobile',
      'mobile phone',
      'mobile number',
      'mobile no',
      'cell',
      'cell phone',
    ],
  ],
  [
    'Email Address',
    [
      'email address',
      'email',
      'e mail',
      'e mail address',
      'business email',
      'company email',
      'work email',
      'primary email',
      'contact email',
      'mail',
    ],
  ],
  [
    'Website',
    [
      'website',
      'web site',
      'website url',
      'web address',
      'web page',
      'homepage',
      'url',
      'web',
      'site',
      'domain',
      'company domain name',
      'company domain',
    ],
  ],
  [
    'User',
    [
      'user',
      'username',
      'assigned to',
      'assigned user',
      'assignee',
      'owner',
      'account owner',
      'lead owner',
      'company owner',
      'contact owner',
      'record owner',
      'account manager',
      'sales rep',
      'salesperson',
      'rep',
    ],
  ],
  ['Custom Tag', ['custom tag', 'custom tags', 'tag', 'tags', 'label', 'labels', 'category', 'categories']],
  ['Note', ['note', 'notes', 'comment', 'comments', 'remark', 'remarks', 'description', 'details', 'memo']],
];

/** Every heading that is known, of whatever target. */
const KNOWN = new Set(HEADINGS.flatMap(([, headings]) => headings));

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;
const POSTCODE = /^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$/i;

/** What the cells of a column look like, for headings that say nothing. */
/** Two letters, or one that businesses use: "jane.smith" and "photo.jpg" are no host names. */
const TOP_LEVEL = [
  ...['[a-z]{2}', 'com', 'org', 'net', 'info', 'biz', 'london', 'wales', 'cymru', 'scot', 'shop', 'store', 'online'],
  ...['site', 'app', 'dev', 'tech', 'cafe', 'coffee', 'restaurant', 'bar', 'pub', 'pizza', 'salon', 'hair', 'beauty'],
  ...['agency', 'studio', 'design', 'digital', 'company', 'services', 'group', 'ltd', 'clinic', 'dental', 'health'],
  ...['garden', 'florist', 'hotel', 'holiday', 'auto', 'garage', 'events', 'photography', 'fitness', 'yoga', 'example'],
].join('|');
/** "example.co.uk", with or without a path. */
const HOST_NAME = new RegExp(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+(${TOP_LEVEL})(/\\S*)?$`, 'i');
const isWebsite = (value: string) =>
  (/^(https?:\/\/|www\.)/i.test(value) || HOST_NAME.test(value)) && Boolean(parseWebsite(value));

const BY_CONTENT: [ImportTarget, (value: string) => boolean][] = [
  ['Email Address', (value) => EMAIL.test(value)],
  ['Postcode', (value) => POSTCODE.test(value)],
  ['Website', isWebsite],
  ['Phone', (value) => /^(?:\+|0|\(0)/.test(value) && countDigits(value) >= 9 && phone.safeParse(value).success],
];

/** A column counts as of a kind when this share of its values does. */
const CONTENT_SHARE = 0.7;

/** What each column most likely becomes, first by its heading, then by its values. */
export function suggestTargets(columns: ColumnSample[]): ImportTarget[] {
  const targets: (ImportTarget | undefined)[] = columns.map(() => undefined);
  const taken = new Set<ImportTarget>();
  const assign = (index: number, target: ImportTarget) => {
    targets[index] = target;
    if (!JOINED_TARGETS.includes(target)) taken.add(target);
  };

  const headings = columns.map(({ heading }) => normalizeHeading(heading));
  for (const [target, known] of HEADINGS) {
    for (const name of known) {
      for (const [index, heading] of headings.entries()) {
        if (heading === name && targets[index] === undefined && !taken.has(target)) assign(index, target);
      }
    }
  }
  for (const [index, { values }] of columns.entries()) {
    if (targets[index] !== undefined) continue;
    const target = BY_CONTENT.find(([each, matches]) => !taken.has(each) && areMostly(values, matches))?.[0];
    // A second phone number or e-mail address is worth keeping.
    assign(index, target ?? (KNOWN.has(headings[index] ?? '') ? 'Note' : 'Ignore'));
  }
  return targets.map((target) => target ?? 'Ignore');
}

/** Whether one of the headings is that of a business's name. */
export const hasNameHeading = (headings: string[]) =>
  suggestTargets(headings.map((heading) => ({ heading, values: [] }))).includes('Business Name');

const normalizeHeading = (heading: string) =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

function areMostly(values: string[], matches: (value: string) => boolean): boolean {
  const filled = values.map((value) => value.trim()).filter(Boolean);
  return filled.length > 0 && filled.filter(matches).length >= filled.length * CONTENT_SHARE;
}

const countDigits = (text: string) => text.replace(/\D/g, '').length;
