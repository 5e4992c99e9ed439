import { expect, test } from 'vitest';
import { formatUndoOutcome, type UndoOutcome } from './change.ts';

const outcome = (given: Partial<UndoOutcome>): UndoOutcome => ({
  takenBack: 0,
  deleted: 0,
  left: [],
  creditsKept: 0,
  ...given,
});

test.each<[Partial<UndoOutcome>, string]>([
  [{ takenBack: 1 }, '1 taken back'],
  [
    { takenBack: 197, left: [{ reason: 'changed', count: 3, names: ['Bakery', 'Florist', 'Inn'] }] },
    '197 taken back, 3 were changed since: Bakery, Florist, Inn',
  ],
  [
    { takenBack: 1_200, left: [{ reason: 'forbidden', count: 7, names: ['Bakery', 'Inn'] }] },
    '1,200 taken back, 7 may not be changed by you: Bakery, Inn and 5 more',
  ],
  [{ takenBack: 5_000, deleted: 4_998 }, '5,000 taken back (4,998 leads deleted)'],
  [
    { takenBack: 1, deleted: 1, left: [{ reason: 'touched', count: 1, names: ['Inn'] }] },
    '1 taken back (1 lead deleted), 1 was worked on since, so it is kept: Inn',
  ],
  [{ takenBack: 1, creditsKept: 1 }, '1 taken back, 1 goal credit stays'],
  [{ takenBack: 4, creditsKept: 2 }, '4 taken back, 2 goal credits stay'],
])('%j reads "%s"', (given, text) => {
  expect(formatUndoOutcome(outcome(given))).toBe(text);
});
