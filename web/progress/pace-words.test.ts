import { expect, test } from 'vitest';
import { inWords, monthlyWords, spoken, WHAT_COUNTS, weeklyWords } from './pace-words.ts';

test.each([
  { count: 0, target: 25, elapsed: 0, said: 'ahead of pace', standing: 'ahead' },
  { count: 13, target: 25, elapsed: 50, said: 'ahead of pace', standing: 'ahead' }, // 12.5 makes 13 expected
  { count: 12, target: 25, elapsed: 50, said: '1 behind pace', standing: 'behind' },
  { count: 20, target: 25, elapsed: 14, said: '16 ahead of pace', standing: 'ahead' },
  { count: 24, target: 25, elapsed: 100, said: '1 behind pace', standing: 'behind' },
  { count: 25, target: 25, elapsed: 100, said: 'over target', standing: 'reached' },
  { count: 26, target: 25, elapsed: 14, said: '1 over target', standing: 'reached' },
  { count: 0, target: 2500, elapsed: 42, said: '1,050 behind pace', standing: 'behind' },
])('in the week, $count of $target at $elapsed% is "$said"', ({ count, target, elapsed, said, standing }) => {
  const words = weeklyWords(count, target, elapsed);
  expect(inWords(words)).toBe(said);
  expect(words.standing).toBe(standing);
});

test.each([
  { count: 0, target: 100, elapsed: 3, said: '100 more to go', standing: 'behind' },
  { count: 3, target: 100, elapsed: 3, said: '97 more to go', standing: 'ahead' },
  { count: 99, target: 100, elapsed: 100, said: '1 more to go', standing: 'behind' },
  { count: 100, target: 100, elapsed: 50, said: '0 over target', standing: 'reached' },
  { count: 104, target: 100, elapsed: 50, said: '4 over target', standing: 'reached' },
])('in the month, $count of $target at $elapsed% is "$said"', ({ count, target, elapsed, said, standing }) => {
  const words = monthlyWords(count, target, elapsed);
  expect(inWords(words)).toBe(said);
  expect(words.standing).toBe(standing);
});

test('a meter can be said in one sentence', () => {
  expect(spoken(1200, 2500, 'this week', '3 ahead of pace')).toBe('1,200 of 2,500 contacts this week, 3 ahead of pace');
});

test('what counts is said with the four statuses', () => {
  expect(WHAT_COUNTS).toBe(
    'A lead counts once when it first moves to In Progress, Recontact, Closed (Won) or Closed (Lost); ' +
      'later status changes do not affect the meter.',
  );
});
