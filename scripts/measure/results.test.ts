import { expect, test } from 'vitest';
import { findRegressions } from './results.ts';

const lower = (value: number) => ({ 'list page': { value, better: 'lower' as const } });
const higher = (value: number) => ({ import: { value, better: 'higher' as const } });

test.each([
  ['unchanged', lower(1.6), lower(1.6), 0],
  ['better by any amount', lower(1.6), lower(0.1), 0],
  ['worse by a quarter', lower(1), lower(1.25), 0],
  ['worse by more than a quarter', lower(1), lower(1.26), 1],
  ['where higher is better, lower by a quarter', higher(1), higher(0.75), 0],
  ['where higher is better, lower by more', higher(1), higher(0.74), 1],
  ['where higher is better, higher by any amount', higher(0.8), higher(8), 0],
  ['no longer measured', lower(1), {}, 1],
  ['measured for the first time', {}, lower(9), 0],
])('a ratio %s', (_case, saved, measured, worse) => {
  expect(findRegressions(saved, measured)).toHaveLength(worse);
});

test('a regression says what it was and what it is', () => {
  expect(findRegressions(lower(1), lower(2))).toEqual(['list page is 2.00, was 1.00 (lower is better)']);
});
