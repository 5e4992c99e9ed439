import { expect, test } from 'vitest';
import { formatDue, parseLocalInput, toLocalInput } from './format-due.ts';

const LONDON = 'Europe/London';
const NOW = new Date('2026-11-16T09:00:00Z');

test.each([
  ['2026-11-16T16:00:00Z', 'Today 16:00'],
  ['2026-11-17T10:00:00Z', 'Tomorrow 10:00'],
  ['2026-11-15T10:00:00Z', 'Yesterday 10:00'],
  ['2026-11-20T10:00:00Z', 'Fri 10:00'],
  ['2026-11-22T10:00:00Z', 'Sun 10:00'],
  ['2026-11-23T10:00:00Z', 'Nov 23, 10:00'],
  ['2026-11-01T10:00:00Z', 'Nov 1, 10:00'],
  ['2027-01-04T10:00:00Z', 'Jan 4, 2027, 10:00'],
])('%s is "%s"', (at, text) => {
  expect(formatDue(at, NOW, LONDON)).toBe(text);
});

test("the day is the team's, not UTC's", () => {
  expect(formatDue('2026-06-17T23:30:00Z', new Date('2026-06-17T09:00:00Z'), LONDON)).toBe('Tomorrow 00:30');
});

test.each([
  ['2026-11-17T10:00', '2026-11-17T10:00:00.000Z'],
  ['2026-06-17T10:00', '2026-06-17T09:00:00.000Z'],
])('the input %s on the clock of the team is %s', (value, at) => {
  expect(parseLocalInput(value, LONDON)?.toISOString()).toBe(at);
  expect(toLocalInput(new Date(at), LONDON)).toBe(value);
});

test('an incomplete input is no moment', () => {
  expect(parseLocalInput('', LONDON)).toBeUndefined();
});
