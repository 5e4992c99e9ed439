import { expect, test } from 'vitest';
import { type Outcome, summaryOf } from './summary.ts';

const step = (passed: number, failed: number, note = ''): Outcome => ({
  name: 'rules',
  title: 'Rules',
  seconds: 1.25,
  skipped: 0,
  passed,
  failed,
  note,
});

test('the last line sums everything and says nothing else', () => {
  expect(summaryOf([step(3, 0), step(4, 2)]).lines.at(-1)).toBe('7 passed, 2 failed');
});

test('what was left out is said before the last line', () => {
  const { lines, failed } = summaryOf([step(3, 0), step(0, 0, 'left out: no PostgreSQL found')]);
  expect(lines.slice(0, -1).join()).toContain('left out: no PostgreSQL found');
  expect(lines.at(-1)).toBe('3 passed, 0 failed');
  expect(failed).toBe(0);
});
