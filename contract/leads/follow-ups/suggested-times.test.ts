import { expect, test } from 'vitest';
import { suggestTimes } from './suggested-times.ts';

const suggest = (now: string, region: 'england-and-wales' | 'scotland' = 'england-and-wales') =>
  suggestTimes({ now: new Date(now), timeZone: 'Europe/London', region }).map(
    ({ label, time, at }) => `${[label, time].filter(Boolean).join(' ')} = ${at}`,
  );

test.each<[string, string, string[]]>([
  [
    'on a Tuesday morning',
    '2026-11-17T09:00:00Z',
    [
      'Today 16:00 = 2026-11-17T16:00:00.000Z',
      'Tomorrow 10:00 = 2026-11-18T10:00:00.000Z',
      'Monday = 2026-11-23T10:00:00.000Z',
      'In a week = 2026-11-24T10:00:00.000Z',
    ],
  ],
  [
    'on a Monday, the next Monday is in a week',
    '2026-11-16T09:00:00Z',
    [
      'Today 16:00 = 2026-11-16T16:00:00.000Z',
      'Tomorrow 10:00 = 2026-11-17T10:00:00.000Z',
      'In a week = 2026-11-23T10:00:00.000Z',
    ],
  ],
  [
    'within an hour of 16:00, today is not offered',
    '2026-11-17T15:00:00Z',
    [
      'Tomorrow 10:00 = 2026-11-18T10:00:00.000Z',
      'Monday = 2026-11-23T10:00:00.000Z',
      'In a week = 2026-11-24T10:00:00.000Z',
    ],
  ],
  [
    'on a Friday, the next working day is Monday, offered once',
    '2026-11-20T09:00:00Z',
    [
      'Today 16:00 = 2026-11-20T16:00:00.000Z',
      'Monday 10:00 = 2026-11-23T10:00:00.000Z',
      'In a week = 2026-11-27T10:00:00.000Z',
    ],
  ],
  [
    'on a Saturday, neither today nor tomorrow',
    '2026-11-21T09:00:00Z',
    ['Monday 10:00 = 2026-11-23T10:00:00.000Z', 'In a week = 2026-11-30T10:00:00.000Z'],
  ],
  [
    'over Easter, with the clocks changed: Good Friday and Easter Monday are skipped',
    '2026-04-02T08:00:00Z',
    [
      'Today 16:00 = 2026-04-02T15:00:00.000Z',
      'Tuesday 10:00 = 2026-04-07T09:00:00.000Z',
      'In a week = 2026-04-09T09:00:00.000Z',
    ],
  ],
  [
    'before Christmas',
    '2026-12-24T09:00:00Z',
    [
      'Today 16:00 = 2026-12-24T16:00:00.000Z',
      'Tuesday 10:00 = 2026-12-29T10:00:00.000Z',
      'In a week = 2026-12-31T10:00:00.000Z',
    ],
  ],
  [
    'at 00:30 local time in summer, which is the day before in UTC',
    '2026-06-15T23:30:00Z',
    [
      'Today 16:00 = 2026-06-16T15:00:00.000Z',
      'Tomorrow 10:00 = 2026-06-17T09:00:00.000Z',
      'Monday = 2026-06-22T09:00:00.000Z',
      'In a week = 2026-06-23T09:00:00.000Z',
    ],
  ],
  [
    'on the Friday before the clocks go back',
    '2026-10-23T08:00:00Z',
    [
      'Today 16:00 = 2026-10-23T15:00:00.000Z',
      'Monday 10:00 = 2026-10-26T10:00:00.000Z',
      'In a week = 2026-10-30T10:00:00.000Z',
    ],
  ],
  [
    'on the Friday before the clocks go forward',
    '2026-03-27T09:00:00Z',
    [
      'Today 16:00 = 2026-03-27T16:00:00.000Z',
      'Monday 10:00 = 2026-03-30T09:00:00.000Z',
      // A week later is Good Friday, and after the weekend comes Easter Monday.
      'In a week = 2026-04-07T09:00:00.000Z',
    ],
  ],
])('%s', (_, now, expected) => {
  expect(suggest(now)).toEqual(expected);
});

test('each part of the country has its own holidays', () => {
  // Easter Monday is a working day in Scotland.
  expect(suggest('2026-04-02T08:00:00Z', 'scotland')).toContain('Monday 10:00 = 2026-04-06T09:00:00.000Z');
});
