import { expect, test } from 'vitest';
import { callTimeKey, formatCallTime, formatCallTimeKey, parseCallTimeKey } from './call-time.ts';

test.each([
  ['1-00', 'Monday, 00:00–01:00'],
  ['5-09', 'Friday, 09:00–10:00'],
  ['7-23', 'Sunday, 23:00–00:00'],
])('%s is %s', (key, text) => {
  const time = parseCallTimeKey(callTimeKey.parse(key));
  expect(formatCallTime(time)).toBe(text);
  expect(formatCallTimeKey(time)).toBe(key);
});

test.each(['0-09', '8-09', '1-24', '1-9', 'monday'])('%s is no hour of a weekday', (key) => {
  expect(callTimeKey.safeParse(key).success).toBe(false);
});
