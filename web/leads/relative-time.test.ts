import { expect, test } from 'vitest';
import { formatRelativeTime } from './relative-time.ts';

const now = new Date('2026-03-04T12:00:00.000Z');

test.each([
  ['2026-03-04T12:00:30.000Z', 'just now'],
  ['2026-03-04T11:59:31.000Z', 'just now'],
  ['2026-03-04T11:59:00.000Z', '1 minute ago'],
  ['2026-03-04T11:01:00.000Z', '59 minutes ago'],
  ['2026-03-04T11:00:00.000Z', '1 hour ago'],
  ['2026-03-03T12:01:00.000Z', '23 hours ago'],
  ['2026-03-03T12:00:00.000Z', '1 day ago'],
  ['2026-02-03T12:00:00.000Z', '29 days ago'],
  ['2026-02-01T12:00:00.000Z', '1 month ago'],
  ['2025-06-04T12:00:00.000Z', '8 months ago'],
  ['2025-03-04T12:00:00.000Z', '1 year ago'],
  ['2023-01-04T12:00:00.000Z', '3 years ago'],
])('%s is %s', (moment, text) => {
  expect(formatRelativeTime(moment, now)).toBe(text);
});
