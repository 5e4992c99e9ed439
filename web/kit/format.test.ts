import { expect, test } from 'vitest';
import { formatCount, formatDate, formatDateTime, formatDateTimeSeconds, formatDay, formatTime } from './format.ts';

// Half past eleven in the evening in London's summer time, the next day in Tokyo.
const moment = '2026-07-03T22:30:00.000Z';

test.each([
  ['Europe/London', 'en-US', 'Jul 3, 2026'],
  ['Asia/Tokyo', 'en-US', 'Jul 4, 2026'],
  ['Europe/London', 'en-GB', '03/07/2026'],
] as const)('a date in %s, %s, is "%s"', (timeZone, style, text) => {
  expect(formatDate(moment, timeZone, style)).toBe(text);
});

test('a time is formatted in the given time zone', () => {
  expect(formatDateTime(moment, 'Europe/London').replace('\u202f', ' ')).toBe('Jul 3, 2026, 11:30 PM');
  expect(formatDateTimeSeconds(moment, 'Europe/London').replace('\u202f', ' ')).toBe('Jul 3, 2026, 11:30:00 PM');
  expect(formatTime(moment, 'Europe/London').replace('\u202f', ' ')).toBe('11:30 PM');
});

test('a day is formatted in the given time zone', () => {
  expect(formatDay(moment, 'Europe/London')).toBe('Friday, July 3, 2026');
  expect(formatDay(moment, 'Asia/Tokyo')).toBe('Saturday, July 4, 2026');
});

test('a count has thousands separators', () => {
  expect(formatCount(12345)).toBe('12,345');
});
