import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { createWorkingHours } from './working-hours.ts';

const hours = createWorkingHours('Europe/London', createRandom(1));
const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  weekday: 'short',
  hour: 'numeric',
  minute: 'numeric',
});
const at = (text: string) => Date.parse(text);

test('moments are on working days between 9:00 and 17:00', () => {
  for (let nth = 0; nth < 300; nth += 1) {
    const text = format.format(hours.between(at('2026-06-01T00:00:00Z'), at('2026-06-30T00:00:00Z')));
    expect(text).toMatch(/^(Mon|Tue|Wed|Thu|Fri) (09|1[0-6]):/);
  }
});

test('a weekend leads to the Friday before', () => {
  const moment = hours.between(at('2026-06-06T08:00:00Z'), at('2026-06-07T20:00:00Z'));
  expect(new Date(moment).toISOString()).toMatch(/^2026-06-05T/);
});

test.each([
  ['2026-06-05T12:00:00Z', 1, '2026-06-08T09:00:00.000Z'],
  ['2026-06-08T12:00:00Z', -1, '2026-06-05T09:00:00.000Z'],
  ['2026-06-08T12:00:00Z', 0, '2026-06-08T09:00:00.000Z'],
  // Saturday.
  ['2026-06-06T12:00:00Z', 0, '2026-06-08T09:00:00.000Z'],
  // Monday 25 May was a bank holiday.
  ['2026-05-26T12:00:00Z', -1, '2026-05-22T09:00:00.000Z'],
])('%s and %i working days is %s', (moment, days, expected) => {
  expect(new Date(hours.workingDay(at(moment), days, 10)).toISOString()).toBe(expected);
});
