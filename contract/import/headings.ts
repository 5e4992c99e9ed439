import type { ImportTarget } from './import-target.ts';

/** Headings in use by each target, the best first: of "Mobile" and "Phone", the phone number is in "Phone". */
export const HEADINGS: [ImportTarget, string[]][] = [
  [
    'Business Name',
    list(
      'business name, company name, trading name, trading as, organisation name, organization name, account name',
      'establishment name, shop name, store name, practice name, venue name, customer name, client name, place name',
      'associated company, company account, business, company, organisation, organization, establishment, shop, store',
      'premises, venue, firm, account, customer, client, name, title',
    ),
  ],
  [
    'Address',
    list(
      'address, full address, fulladdress, street address, business address, company address, postal address, street',
      'street name, road, address line, house number',
    ),
  ],
  ['Town', list('town, city, town city, city town, town or city, post town, locality, municipality, location')],
  [
    'Postcode',
    list('postcode, post code, postal code, zip code, zip, zip postcode, zip postal code, postcode zip, pcode'),
  ],
  [
    'Contact Name',
    list(
      'contact name, contact person, person name, contact, primary contact, main contact, key contact, spoke to',
      'spoke with, speak to, ask for, full name, owner name, manager name, proprietor, decision maker, first name',
      'forename, given name, last name, surname, family name, name, who',
    ),
  ],
  [
    'Phone',
    list(
      'phone, phone number, telephone, telephone number, tel, tel no, tel number, telephone no, phone no, phones',
      'business phone, company phone, main phone, work phone, phone work, primary phone, office phone, landline',
      'contact number, contact phone, mobile, mobile phone, mobile number, mobile no, mobile phone number',
      'phone mobile, cell, cell phone, phone home, phone other',
    ),
  ],
  [
    'Email Address',
    list(
      'email address, email, e mail, e mail address, emails, business email, company email, work email, email work',
      'primary email, contact email, mail, email home, email other',
    ),
  ],
  [
    'Website',
    list(
      'website, web site, website url, web address, web page, homepage, web, site, domain, company domain name',
      'company domain, domain name, url',
    ),
  ],
  [
    'User',
    list(
      'user, username, assigned to, assigned user, assignee, owner, account owner, lead owner, company owner',
      'contact owner, record owner, account manager, sales rep, salesperson, rep',
    ),
  ],
  ['Custom Tag', list('custom tag, custom tags, tag, tags, label, labels, category, categories')],
  ['Latitude', list('latitude, lat')],
  ['Longitude', list('longitude, lng, lon, long')],
  ['Place ID', list('place id, google place id')],
  [
    'Business Type',
    list(
      'business type, type of business, industry, sector, trade, category name, main category, primary category',
      'business category, nature of business, type',
    ),
  ],
  [
    'Note',
    list(
      'note, notes, comment, comments, remark, remarks, description, details, memo, job title, role, position',
      'lead source, lead status, status, account source, opening hours, hours, employees, number of employees',
      'company number, company category, company status, sic code sic text, sic text, last call, called, outcome, result',
      'social medias, facebook, instagram, linkedin, twitter',
    ),
  ],
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

function list(...lines: string[]): string[] {
  return lines.join(', ').split(', ');
}
