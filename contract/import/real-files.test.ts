import { expect, test } from 'vitest';
import { type ImportRow, mapColumns, parseRow } from './csv-row.ts';
import type { ImportTarget } from './import-target.ts';
import { isUnderstood, suggestTargets } from './suggest-mapping.ts';

/** A column of an export: heading, what it must become, and the values of two rows. All businesses are invented. */
type Column = [heading: string, target: ImportTarget, ...values: string[]];

const FILES: Record<string, Column[]> = {
  'a Google Maps scraper with titles': [
    ['title', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['full_address', 'Address', '1 High Street, Whitby YO21 1AA', '9 Mill Lane, Leeds LS1 4AP'],
    ['categoryName', 'Business Type', 'Bakery', 'Book store'],
    ['totalScore', 'Ignore', '4.7', '4.1'],
    ['reviewsCount', 'Ignore', '120', '8'],
    ['emails', 'Email Address', 'hello@hilltop.example, shop@hilltop.example', ''],
    ['Phone Number 1', 'Phone', '+44 1632 960001', ''],
    ['Phone Number 2', 'Phone', '+44 1632 960011', '+44 1632 960002'],
    ['website', 'Website', 'https://hilltop.example', ''],
    ['location/lat', 'Latitude', '54.4858', '53.7965'],
    ['location/lng', 'Longitude', '-0.6206', '-1.5478'],
    ['placeId', 'Place ID', 'ChIJInventedHillTop00000001', 'ChIJInventedCragBooks000002'],
    ['url', 'Note', 'https://maps.example/1', 'https://maps.example/2'],
  ],
  'a Google Maps scraper with names': [
    ['name', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['site', 'Website', 'https://hilltop.example', 'https://crag.example'],
    ['type', 'Business Type', 'Bakery', 'Book store'],
    ['phone', 'Phone', '+44 1632 960001', '+44 1632 960002'],
    ['full_address', 'Address', '1 High Street, Whitby YO21 1AA', '9 Mill Lane, Leeds LS1 4AP'],
    ['street', 'Address', '1 High Street', '9 Mill Lane'],
    ['borough', 'Ignore', '', 'Hunslet'],
    ['city', 'Town', 'Whitby', 'Leeds'],
    ['postal_code', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['country_code', 'Ignore', 'GB', 'GB'],
    ['latitude', 'Latitude', '54.4858', '53.7965'],
    ['longitude', 'Longitude', '-0.6206', '-1.5478'],
    ['rating', 'Ignore', '4.7', '4.1'],
    ['reviews', 'Ignore', '120', '8'],
    ['place_id', 'Place ID', 'ChIJInventedHillTop00000001', 'ChIJInventedCragBooks000002'],
    ['google_id', 'Ignore', '0x1:0x2', '0x3:0x4'],
    ['email_1', 'Email Address', 'hello@hilltop.example', ''],
    ['email_2', 'Email Address', '', 'books@crag.example'],
  ],
  'HubSpot companies': [
    ['Record ID', 'Ignore', '900001', '900002'],
    ['Company name', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Company owner', 'User', 'priya', 'sam'],
    ['Create Date', 'Ignore', '2026-01-04 09:00', '2026-01-05 09:00'],
    ['Phone Number', 'Phone', '01632 960001', '01632 960002'],
    ['Last Activity Date', 'Ignore', '', '2026-02-01'],
    ['Street Address', 'Address', '1 High Street', '9 Mill Lane'],
    ['City', 'Town', 'Whitby', 'Leeds'],
    ['Country/Region', 'Ignore', 'United Kingdom', 'United Kingdom'],
    ['Postal Code', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['Industry', 'Business Type', 'Bakery', 'Retail'],
    ['Website URL', 'Website', 'hilltop.example', 'crag.example'],
  ],
  'HubSpot contacts': [
    ['Record ID', 'Ignore', '800001', '800002'],
    ['First Name', 'Contact Name', 'Bea', 'Tom'],
    ['Last Name', 'Contact Name', 'Baker', 'Book'],
    ['Email', 'Email Address', 'bea@hilltop.example', 'tom@crag.example'],
    ['Phone Number', 'Phone', '01632 960001', '01632 960002'],
    ['Mobile Phone Number', 'Note', '07700 900123', ''],
    ['Contact owner', 'User', 'priya', 'sam'],
    ['Associated Company', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Job Title', 'Note', 'Owner', 'Manager'],
    ['Lead Status', 'Note', 'New', 'Open'],
  ],
  'Salesforce leads': [
    ['First Name', 'Contact Name', 'Bea', 'Tom'],
    ['Last Name', 'Contact Name', 'Baker', 'Book'],
    ['Title', 'Note', 'Owner', 'Manager'],
    ['Company / Account', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Email', 'Email Address', 'bea@hilltop.example', 'tom@crag.example'],
    ['Phone', 'Phone', '01632 960001', '01632 960002'],
    ['Street', 'Address', '1 High Street', '9 Mill Lane'],
    ['City', 'Town', 'Whitby', 'Leeds'],
    ['State/Province', 'Ignore', 'North Yorkshire', 'West Yorkshire'],
    ['Zip/Postal Code', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['Lead Source', 'Note', 'Web', 'Fair'],
    ['Rating', 'Ignore', 'Hot', 'Cold'],
    ['Lead Owner', 'User', 'priya', 'sam'],
    ['Created Date', 'Ignore', '04/01/2026', '05/01/2026'],
  ],
  'Salesforce accounts': [
    ['Account Name', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Billing Street', 'Address', '1 High Street', '9 Mill Lane'],
    ['Billing City', 'Town', 'Whitby', 'Leeds'],
    ['Billing State/Province', 'Ignore', 'North Yorkshire', 'West Yorkshire'],
    ['Billing Zip/Postal Code', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['Phone', 'Phone', '01632 960001', '01632 960002'],
    ['Website', 'Website', 'hilltop.example', 'crag.example'],
    ['Industry', 'Business Type', 'Food', 'Retail'],
    ['Type', 'Note', 'Prospect', 'Customer'],
    ['Account Owner', 'User', 'priya', 'sam'],
    ['Account ID', 'Ignore', '001A', '001B'],
  ],
  'Pipedrive organizations': [
    ['Organization - Name', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Organization - Label', 'Custom Tag', 'Hot', 'Cold'],
    ['Organization - Address', 'Address', '1 High Street, Whitby YO21 1AA', '9 Mill Lane, Leeds LS1 4AP'],
    ['Organization - Owner', 'User', 'priya', 'sam'],
    ['Organization - Open deals', 'Ignore', '1', '0'],
    ['Organization - Next activity date', 'Ignore', '2026-03-01', ''],
    ['Organization - ID', 'Ignore', '1', '2'],
  ],
  'Pipedrive people': [
    ['Person - Name', 'Contact Name', 'Bea Baker', 'Tom Book'],
    ['Person - First name', 'Contact Name', 'Bea', 'Tom'],
    ['Person - Last name', 'Contact Name', 'Baker', 'Book'],
    ['Person - Organization', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Person - Email - Work', 'Email Address', 'bea@hilltop.example', 'tom@crag.example'],
    ['Person - Email - Home', 'Note', '', 'tom@home.example'],
    ['Person - Phone - Work', 'Phone', '01632 960001', '01632 960002'],
    ['Person - Phone - Mobile', 'Note', '07700 900123', ''],
    ['Person - Owner', 'User', 'priya', 'sam'],
    ['Organization - Address', 'Address', '1 High Street, Whitby YO21 1AA', '9 Mill Lane, Leeds LS1 4AP'],
  ],
  'food hygiene ratings': [
    ['FHRSID', 'Ignore', '900001', '900002'],
    ['LocalAuthorityBusinessID', 'Ignore', 'A1', 'A2'],
    ['BusinessName', 'Business Name', 'Hill Top Bakery', 'Crag Cafe'],
    ['BusinessType', 'Business Type', 'Bakery', 'Restaurant/Cafe/Canteen'],
    ['BusinessTypeID', 'Ignore', '7838', '1'],
    ['AddressLine1', 'Address', '1 High Street', '9 Mill Lane'],
    ['AddressLine2', 'Address', 'Whitby', 'Hunslet'],
    ['AddressLine3', 'Address', '', 'Leeds'],
    ['PostCode', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['RatingValue', 'Ignore', '5', '4'],
    ['RatingDate', 'Ignore', '2026-01-04', '2026-01-05'],
    ['LocalAuthorityName', 'Ignore', 'Scarborough', 'Leeds'],
    ['LocalAuthorityWebSite', 'Ignore', 'http://council.example', 'http://council.example'],
    ['LocalAuthorityEmailAddress', 'Ignore', 'food@council.example', 'food@council.example'],
    ['Geocode.Longitude', 'Longitude', '-0.6206', '-1.5478'],
    ['Geocode.Latitude', 'Latitude', '54.4858', '53.7965'],
  ],
  'Companies House': [
    ['CompanyName', 'Business Name', 'HILL TOP BAKERY LIMITED', 'CRAG BOOKS LTD'],
    [' CompanyNumber', 'Note', '00000001', '00000002'],
    ['RegAddress.CareOf', 'Ignore', '', ''],
    ['RegAddress.POBox', 'Ignore', '', ''],
    ['RegAddress.AddressLine1', 'Address', '1 HIGH STREET', '9 MILL LANE'],
    [' RegAddress.AddressLine2', 'Address', '', 'HUNSLET'],
    ['RegAddress.PostTown', 'Town', 'WHITBY', 'LEEDS'],
    ['RegAddress.County', 'Ignore', 'NORTH YORKSHIRE', 'WEST YORKSHIRE'],
    ['RegAddress.Country', 'Ignore', 'ENGLAND', 'ENGLAND'],
    ['RegAddress.PostCode', 'Postcode', 'YO21 1AA', 'LS1 4AP'],
    ['CompanyCategory', 'Note', 'Private Limited Company', 'Private Limited Company'],
    ['CompanyStatus', 'Note', 'Active', 'Active'],
    ['IncorporationDate', 'Ignore', '04/01/2020', '05/01/2020'],
    ['SICCode.SicText_1', 'Note', '10710 - Manufacture of bread', '47610 - Retail sale of books'],
    ['SICCode.SicText_2', 'Note', '', ''],
    ['URI', 'Ignore', 'http://business.example/id/1', 'http://business.example/id/2'],
  ],
  'a hand-made list': [
    ['Shop', 'Business Name', 'Hill Top Bakery', 'Crag Books'],
    ['Where', 'Ignore', 'top of the hill', 'next to the bank'],
    ['Town', 'Town', 'Whitby', 'Leeds'],
    ['Tel.', 'Phone', '01632 960001', ''],
    ['Mobile', 'Note', '', '07700 900123'],
    ['Spoke to', 'Contact Name', 'Bea', 'Tom'],
    ['Last call', 'Note', '4 Jan', ''],
    ['Comments', 'Note', 'likes rye', 'ring in May'],
  ],
};

const toColumns = (columns: Column[]) => columns.map(([heading, , ...values]) => ({ heading, values }));

test.each(Object.entries(FILES))('%s maps by itself', (_, columns) => {
  const targets = suggestTargets(toColumns(columns));
  expect(columns.map(([heading], index) => [heading, targets[index]])).toEqual(
    columns.map(([heading, target]) => [heading, target]),
  );
});

const byTarget = (row: ImportRow) => ({
  'Business Name': row.name,
  Phone: row.phone,
  'Email Address': row.customFields.email,
  'Contact Name': row.customFields.contactPerson,
  Website: row.website,
  Latitude: row.position,
  'Place ID': row.placeId,
  'Business Type': row.businessType,
});

test.each(Object.entries(FILES))('the rows of %s become leads with all that it has', (_, columns) => {
  const mapped = mapColumns(columns.map(([heading, target]) => ({ heading, target })));
  for (const nth of [0, 1]) {
    const cells = columns.map(([, , ...values]) => values[nth] ?? '');
    const parsed = parseRow(mapped, cells);
    if ('reason' in parsed) throw new Error(parsed.reason);
    const filled = new Set<string>(columns.flatMap(([, target], index) => (cells[index] ? [target] : [])));
    for (const [target, value] of Object.entries(byTarget(parsed.row)))
      expect(Boolean(value), target).toBe(filled.has(target));
    if (filled.has('Address'))
      expect(parsed.row.address).toMatch(/^(1 high street|9 mill lane), [^1-9]*(YO21 1AA|LS1 4AP)$/i);
    expect(parsed.row.name).toMatch(/^(hill top bakery|crag (books|cafe))/i);
    if (parsed.row.customFields.contactPerson) {
      expect(parsed.row.customFields.contactPerson).toMatch(/^(Bea|Tom)( Baker| Book)?$/);
    }
  }
});

test('a column is understood if it is used, or known and not needed', () => {
  const columns = toColumns(FILES['a hand-made list'] ?? []);
  const targets = suggestTargets(columns);
  const unclear = columns.filter(
    ({ heading, values }, index) => !isUnderstood({ heading, samples: values, target: targets[index] ?? 'Ignore' }),
  );
  expect(unclear.map(({ heading }) => heading)).toEqual(['Where']);
  expect(isUnderstood({ heading: 'Rating', samples: ['5'], target: 'Ignore' })).toBe(true);
});

test('names are found by their contents where no heading says so', () => {
  const columns = [
    { heading: 'Col A', values: ['A1', 'A1', 'A1'] },
    { heading: 'Col B', values: ['Hill Top Bakery', 'Crag Books', 'Elm Shoes'] },
    { heading: 'Col C', values: ['01632 960001', '01632 960002', '01632 960003'] },
  ];
  expect(suggestTargets(columns)).toEqual(['Ignore', 'Business Name', 'Phone']);
});
