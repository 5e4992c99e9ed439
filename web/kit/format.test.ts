import { afterEach, expect, test, vi } from 'vitest';
import { formatDate, formatDateTime, formatDateTimeSeconds, formatTime } from './format.ts';

// Half past eleven in the evening in London's summer time, the next day in Tokyo.
const moment = '2026-07-03T22:30:00.000Z';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('for a viewer on the clock of the team, a time has no zone', () => {
  expect(formatDateTime(moment, 'Europe/London')).toBe('Jul 3, 2026, 23:30');
  expect(formatTime(moment, 'Europe/Dublin')).toBe('23:30');
});

test("where the viewer's clock differs, a time names the team's zone", () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(formatDateTime(moment, 'Europe/London')).toBe('Jul 3, 2026, 23:30 GMT+1');
  expect(formatDateTimeSeconds(moment, 'Europe/London')).toBe('Jul 3, 2026, 23:30:00 GMT+1');
  expect(formatTime(moment, 'Europe/London')).toBe('23:30 GMT+1');
  expect(formatDate(moment, 'Europe/London')).toBe('Jul 3, 2026');
});
