import { expect, test } from 'vitest';
import { mapColumns, parseRow } from '#contract/import/csv-row.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { completeRow } from './complete-row.ts';

const columns = mapColumns([
  { heading: 'Name', target: 'Business Name' },
  { heading: 'Address', target: 'Address' },
  { heading: 'Lat', target: 'Latitude' },
  { heading: 'Lng', target: 'Longitude' },
]);
const complete = (...cells: string[]) => {
  const parsed = parseRow(columns, ['Hill Top Bakery', ...cells]);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return completeRow(parsed.row);
};
const centreOf = (code: string) => {
  const { latitude, longitude } = findDistrict(code) ?? {};
  return { latitude, longitude, approximate: true };
};

test.each([
  ['HG1 1AA', 'Harrogate', 'HG1'],
  ['LS1 4AP', 'Leeds', 'LS1'],
  ['SW7 1AA', 'London', 'SW7'],
])('the postcode of %j says %s and about where it is', (address, town, district) => {
  expect(complete(address)).toMatchObject({ town, position: centreOf(district) });
});

test('a town that is named stays, and without a postcode nothing is added', () => {
  expect(complete('1 High Street, Otley LS21 1AA')).toMatchObject({ town: 'Otley', position: centreOf('LS21') });
  expect(complete('1 High Street')).toMatchObject({ town: null, position: null });
});

test("a position of the file counts if it is near the address's district", () => {
  const exact = { latitude: 53.7965, longitude: -1.5478, approximate: false };
  expect(complete('9 Mill Lane, Leeds LS1 4AP', '53.7965', '-1.5478').position).toEqual(exact);
  expect(complete('9 Mill Lane', '53.7965', '-1.5478').position).toEqual(exact);
  // Latitude and longitude are swapped.
  expect(complete('9 Mill Lane, Leeds LS1 4AP', '-1.5478', '53.7965').position).toEqual(centreOf('LS1'));
});
