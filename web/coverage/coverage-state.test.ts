import { expect, test } from 'vitest';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import { coverageParams, WHOLE_COUNTRY } from './coverage-state.ts';

test.each([
  ['', WHOLE_COUNTRY],
  [
    '?metric=won&type=Bakery&person=7&area=LS&district=LS1',
    { metric: 'won', type: 'Bakery', person: 7, area: 'LS', district: 'LS1' },
  ],
  ['?metric=x&type=x&person=0&area=LS14AP&district=LS', WHOLE_COUNTRY],
])('%s is parsed', (search, state) => {
  expect(parseUrlState(coverageParams, WHOLE_COUNTRY, search) ?? WHOLE_COUNTRY).toEqual(state);
});

test('default values are left out of the URL', () => {
  expect(formatUrlState(WHOLE_COUNTRY, WHOLE_COUNTRY)).toBe('');
  expect(formatUrlState({ ...WHOLE_COUNTRY, metric: 'leads', district: 'LS1' }, WHOLE_COUNTRY)).toBe(
    'metric=leads&district=LS1',
  );
});
