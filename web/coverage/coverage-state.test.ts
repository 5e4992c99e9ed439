import { expect, test } from 'vitest';
import { formatCoverage, parseCoverage, WHOLE_COUNTRY } from './coverage-state.ts';

test.each([
  ['', WHOLE_COUNTRY],
  [
    '?metric=won&type=Bakery&person=7&area=LS&district=LS1',
    { metric: 'won', type: 'Bakery', person: 7, area: 'LS', district: 'LS1' },
  ],
  ['?metric=x&type=x&person=0&area=LS14AP&district=LS', WHOLE_COUNTRY],
])('%s is parsed', (search, state) => {
  expect(parseCoverage(search)).toEqual(state);
});

test('default values are left out of the URL', () => {
  expect(formatCoverage(WHOLE_COUNTRY)).toBe('');
  expect(formatCoverage({ ...WHOLE_COUNTRY, metric: 'leads', district: 'LS1' })).toBe('metric=leads&district=LS1');
});
