import { expect, test } from 'vitest';
import { lastBackupDue, nextBackupAt } from './backup-times.ts';

const around = (backupAt: string | undefined, timeZone: string, now: string) => {
  const schedule = { backupAt, timeZone };
  return [lastBackupDue, nextBackupAt].map((find) => find(schedule, new Date(now))?.toISOString());
};

test.each([
  // The clock of London is an hour ahead in summer.
  ['2026-07-01T01:29:59Z', '2026-06-30T01:30:00.000Z', '2026-07-01T01:30:00.000Z'],
  ['2026-07-01T01:30:00Z', '2026-07-01T01:30:00.000Z', '2026-07-02T01:30:00.000Z'],
  ['2026-07-01T23:30:00Z', '2026-07-01T01:30:00.000Z', '2026-07-02T01:30:00.000Z'],
  ['2026-03-28T12:00:00Z', '2026-03-28T02:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T02:30:00Z', '2026-10-25T02:30:00.000Z', '2026-10-26T02:30:00.000Z'],
])('at %s the last backup at 02:30 was due at %s, and the next one is at %s', (now, last, next) => {
  expect(around('02:30', 'Europe/London', now)).toEqual([last, next]);
});

test.each([
  ['2026-03-29T12:00:00Z', '2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
  ['2026-10-25T00:45:00Z', '2026-10-24T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['2026-10-25T12:00:00Z', '2026-10-25T01:30:00.000Z', '2026-10-26T01:30:00.000Z'],
])('where the clocks change at that hour, at %s it was due at %s, and is next at %s', (now, last, next) => {
  expect(around('02:30', 'Europe/Berlin', now)).toEqual([last, next]);
});

test('without a time there is no backup', () => {
  expect(around(undefined, 'Europe/London', '2026-07-01T12:00:00Z')).toEqual([undefined, undefined]);
});
