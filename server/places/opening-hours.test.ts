import { expect, test } from 'vitest';
import { openingHoursAt } from './opening-hours.ts';

const LONDON = 'Europe/London';
// 10 March 2026 is a Tuesday, in winter time; 7 July 2026 a Tuesday in summer time.
test.each([
  ['Mo-Fr 08:00-17:30; Sa 09:00-16:00; PH off', '2026-03-10T08:00:00Z', true],
  ['Mo-Fr 08:00-17:30; Sa 09:00-16:00; PH off', '2026-03-10T17:30:00Z', false],
  ['Mo-Fr 08:00-17:30; Sa 09:00-16:00; PH off', '2026-03-14T15:59:00Z', true],
  ['Mo-Fr 08:00-17:30; Sa 09:00-16:00; PH off', '2026-03-15T12:00:00Z', false],
  ['Mo-Fr 09:00-17:00', '2026-07-07T08:30:00Z', true], // 09:30 on British clocks
  ['Mo-Fr 09:00-17:00', '2026-07-07T16:30:00Z', false],
  ['24/7', '2026-03-10T03:00:00Z', true],
  ['10:00-22:00', '2026-03-10T12:00:00Z', true],
  ['Fr,Sa 18:00-02:00', '2026-03-14T01:30:00Z', true], // Friday night goes on
  ['Fr,Sa 18:00-02:00', '2026-03-13T01:30:00Z', false],
  ['Fr-Su 18:00-02:00', '2026-03-16T01:30:00Z', true],
  ['Mo-Su 09:00-12:00, 13:00-17:00', '2026-03-10T12:30:00Z', false],
  ['Mo-Su,PH 09:00-17:00', '2026-03-10T12:30:00Z', true],
  ['Mo-Fr 09:00-17:00; Tu off', '2026-03-10T12:00:00Z', false],
  ['sunrise-sunset', '2026-03-10T12:00:00Z', null],
  ['Apr-Oct: Mo-Fr 09:00-17:00', '2026-03-10T12:00:00Z', null],
  ['', '2026-03-10T12:00:00Z', null],
  [null, '2026-03-10T12:00:00Z', null],
])('%s at %s is %s', (hours, at, open) => {
  expect(openingHoursAt(new Date(at), LONDON)(hours)).toBe(open);
});
