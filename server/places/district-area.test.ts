import { expect, test } from 'vitest';
import { metresBetween } from '#contract/geo.ts';
import { findDistrictOf, findDistrictRadius, findNearestDistrict } from './district-area.ts';
import { mulberry } from './sample/sample.ts';
import { findDistrict, type UkDistrict } from './uk-districts.ts';

const require = (code: string) => findDistrict(code) as UkDistrict;

test('the circle of a district contains what is nearer to its centre than to another', () => {
  const random = mulberry(7);
  for (let nth = 0; nth < 400; nth += 1) {
    const point = { latitude: 53.3 + random() * 0.9, longitude: -2.3 + random() * 1.9 };
    const nearest = findNearestDistrict(point) as UkDistrict;
    expect(metresBetween(point, nearest), nearest.code).toBeLessThanOrEqual(findDistrictRadius(nearest));
  }
});

test('a district in a city is small, one in the Highlands large', () => {
  expect(findDistrictRadius(require('LS1'))).toBeLessThan(3_000);
  expect(findDistrictRadius(require('IV27'))).toBe(20_000);
  expect(findDistrictRadius(require('GY3'))).toBeGreaterThanOrEqual(1_500); // five districts have this centre
});

const nowhere = { latitude: null, longitude: null };
test.each([
  { formattedAddress: '1 High St, Leeds LS1 2AB', ...nowhere, code: 'LS1' },
  { formattedAddress: 'Unit 4 S1 1AA House, Otley LS21 3AB, UK', ...nowhere, code: 'LS21' },
  { formattedAddress: 'leeds ls12ab', ...nowhere, code: 'LS1' },
  { formattedAddress: '1 High St, Leeds', latitude: 53.7976, longitude: -1.5418, code: 'LS1' },
  { formattedAddress: 'Leeds LS99 1AA', latitude: 53.6833, longitude: -1.4977, code: 'WF1' }, // no such district
  { formattedAddress: null, ...nowhere, code: undefined },
])('$formattedAddress at $latitude is in $code', ({ code, ...place }) => {
  expect(findDistrictOf(place)?.code).toBe(code);
});
