import { expect, test } from 'vitest';
import { milesToMetres, submittedMaxResults, submittedRadius } from './radius.ts';

test.each([
  { radius: undefined, sent: 5000 },
  { radius: null, sent: 5000 },
  { radius: Number.NaN, sent: 5000 },
  { radius: 1, sent: 1609 },
  { radius: 3, sent: 4828 },
  { radius: 30, sent: 48280 },
  { radius: 99, sent: 50000 }, // miles, above the maximum
  { radius: 100, sent: 100 },
  { radius: 5000, sent: 5000 },
  { radius: 60000, sent: 50000 },
])('a radius of $radius is submitted as $sent metres', ({ radius, sent }) => {
  expect(submittedRadius(radius)).toBe(sent);
});

test('miles are converted to metres, up to the maximum', () => {
  expect(milesToMetres(31)).toBe(49890);
  expect(milesToMetres(32)).toBe(50000);
});

test.each([
  [undefined, 20],
  [Number.NaN, 20],
  [5, 5],
])('%s results are submitted as %s', (value, sent) => {
  expect(submittedMaxResults(value)).toBe(sent);
});
