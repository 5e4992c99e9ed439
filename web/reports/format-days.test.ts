import { expect, test } from 'vitest';
import { formatSpan } from './format-days.ts';

test.each([
  ['day', '2026-11-02', '2026-11-02', 'Mon, Nov 2'],
  ['week', '2026-11-02', '2026-11-08', 'Nov 2 to 8'],
  ['week', '2026-10-26', '2026-11-01', 'Oct 26 to Nov 1'],
  ['week', '2026-11-01', '2026-11-01', 'Nov 1'],
  ['month', '2025-11-01', '2025-11-30', 'Nov 1 to 30, 2025'],
] as const)('a %s from %s to %s', (by, from, to, text) => {
  expect(formatSpan(by, { from, to })).toBe(text);
});
