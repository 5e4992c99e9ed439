import { expect, test } from 'vitest';
import { findMorning } from './morning-email.ts';

const LONDON = 'Europe/London';
const sunday = (month: number, day: number) => ({ day: { year: 2026, month, day }, weekend: true });

test.each([
  ['in winter before 8:00', LONDON, '2026-11-16T07:59:59.999Z', undefined],
  ['in winter at 8:00', LONDON, '2026-11-16T08:00:00.000Z', { until: new Date('2026-11-16T12:00:00Z') }],
  ['in winter before 12:00', LONDON, '2026-11-16T11:59:59.999Z', { day: { year: 2026, month: 11, day: 16 } }],
  ['in winter at 12:00', LONDON, '2026-11-16T12:00:00.000Z', undefined],
  ['in summer before 8:00', LONDON, '2026-06-17T06:59:59.999Z', undefined],
  ['in summer at 8:00', LONDON, '2026-06-17T07:00:00.000Z', { until: new Date('2026-06-17T11:00:00Z') }],
  ['before 8:00 on the day the clocks go forward', LONDON, '2026-03-29T06:59:59.999Z', undefined],
  ['at 8:00 on the day the clocks go forward', LONDON, '2026-03-29T07:00:00.000Z', sunday(3, 29)],
  ['at 12:00 on the day the clocks go forward', LONDON, '2026-03-29T11:00:00.000Z', undefined],
  ['before 8:00 on the day the clocks go back', LONDON, '2026-10-25T07:59:59.999Z', undefined],
  ['at 8:00 on the day the clocks go back', LONDON, '2026-10-25T08:00:00.000Z', sunday(10, 25)],
  ['at 12:00 on the day the clocks go back', LONDON, '2026-10-25T12:00:00.000Z', undefined],
  [
    'on the next day of UTC',
    'Pacific/Auckland',
    '2026-06-17T20:00:00.000Z',
    { day: { year: 2026, month: 6, day: 18 } },
  ],
  ['at 00:30', LONDON, '2026-06-16T23:30:00.000Z', undefined],
])('%s', (_, timeZone, now, morning) => {
  const found = findMorning(timeZone, new Date(now));
  if (morning) expect(found).toMatchObject(morning);
  else expect(found).toBeUndefined();
});

test.each([
  ['Friday', '2026-11-20', false],
  ['Saturday', '2026-11-21', true],
  ['Sunday', '2026-11-22', true],
  ['Monday', '2026-11-23', false],
])('%s', (_, day, weekend) => {
  expect(findMorning(LONDON, new Date(`${day}T09:00:00Z`))?.weekend).toBe(weekend);
});
