import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDate,
  formatDateTime,
  formatDateTimeSeconds,
  formatDay,
  formatMonthDay,
  formatSearchDate,
  formatTime,
  formatWeekday,
  formatZone,
} from './format.ts';

const at = '2026-11-18T15:05:09.000Z';

test.each([
  [formatDate, 'Nov 18, 2026'],
  [formatSearchDate, '18/11/2026'],
  [formatTime, '15:05'],
  [formatDateTime, 'Nov 18, 2026, 15:05'],
  [formatDateTimeSeconds, 'Nov 18, 2026, 15:05:09'],
  [formatDay, 'Wednesday, November 18, 2026'],
  [formatWeekday, 'Wed'],
  [formatMonthDay, 'Nov 18'],
  [formatZone, 'GMT'],
] as const)('%o gives "%s"', (format, text) => {
  expect(format(at, 'Europe/London')).toBe(text);
});

// Half past eleven in the evening in London's summer time, the next day in Tokyo.
test.each([
  ['Europe/London', 'Jul 3, 2026, 23:30', '03/07/2026', 'GMT+1'],
  ['Asia/Tokyo', 'Jul 4, 2026, 07:30', '04/07/2026', 'GMT+9'],
])('in %s the same moment is %s', (timeZone, dateTime, searchDate, zone) => {
  const moment = '2026-07-03T22:30:00.000Z';
  expect(formatDateTime(moment, timeZone)).toBe(dateTime);
  expect(formatSearchDate(moment, timeZone)).toBe(searchDate);
  expect(formatZone(moment, timeZone)).toBe(zone);
});

test('midnight is 00, not 24', () => {
  expect(formatTime('2026-11-18T00:05:00.000Z', 'Europe/London')).toBe('00:05');
});

test('a count has thousands separators and the right plural', () => {
  expect(formatCount(12345)).toBe('12,345');
  expect(formatCounted(1, 'business', 'businesses')).toBe('1 business');
  expect(formatCounted(20, 'business', 'businesses')).toBe('20 businesses');
  expect(formatCounted(0, 'lead')).toBe('0 leads');
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_440, '1.4 KB'],
  [23_400_000, '23 MB'],
  [9_960_000_000, '10 GB'],
  [-2_000_000, '-2 MB'],
  [5e15, '5,000 TB'],
])('%i bytes are "%s"', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
