import { expect, test } from 'vitest';
import { formatSummary, type Outcome } from './summary.ts';

const step = (passed: number, failed: number, note = ''): Outcome => ({
  name: 'rules',
  title: 'Rules',
  seconds: 1.25,
  skipped: 0,
  failures: failed ? ['sum.test.ts › adds: Error: expected 2'] : [],
  passed,
  failed,
  note,
});

test('the last line is the sum of all steps and nothing else', () => {
  expect(formatSummary([step(3, 0), step(4, 2)]).lines.at(-1)).toBe('7 passed, 2 failed');
});

test('a skipped step is reported before the last line', () => {
  const { lines, failed } = formatSummary([step(3, 0), step(0, 0, 'skipped: no PostgreSQL found')]);
  expect(lines.slice(0, -1).join()).toContain('skipped: no PostgreSQL found');
  expect(lines.at(-1)).toBe('3 passed, 0 failed');
  expect(failed).toBe(0);
});

test('the failed tests are named below the steps', () => {
  expect(formatSummary([step(3, 0), step(4, 1)]).lines.slice(-3)).toEqual([
    '✗ rules: sum.test.ts › adds: Error: expected 2',
    '',
    '7 passed, 1 failed',
  ]);
});

test('a flaky story is named, and has passed', () => {
  const { lines, failed } = formatSummary([{ ...step(3, 0), flaky: ['search.spec.ts › a search: Timed out'] }]);
  expect(lines.slice(-3)).toEqual(['flaky: search.spec.ts › a search: Timed out', '', '3 passed, 0 failed']);
  expect(failed).toBe(0);
});
