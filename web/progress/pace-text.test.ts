import { expect, test } from 'vitest';
import { formatMonthlyPace, formatValueText, formatWeeklyPace, joinPaceText, WHAT_COUNTS } from './pace-text.ts';

test.each([
  { count: 0, target: 25, elapsed: 0, text: 'ahead of pace', standing: 'ahead' },
  { count: 13, target: 25, elapsed: 50, text: 'ahead of pace', standing: 'ahead' }, // 12.5 makes 13 expected
  { count: 12, target: 25, elapsed: 50, text: '1 behind pace', standing: 'behind' },
  { count: 20, target: 25, elapsed: 14, text: '16 ahead of pace', standing: 'ahead' },
  { count: 24, target: 25, elapsed: 100, text: '1 behind pace', standing: 'behind' },
  { count: 25, target: 25, elapsed: 100, text: 'over target', standing: 'reached' },
  { count: 26, target: 25, elapsed: 14, text: '1 over target', standing: 'reached' },
  { count: 0, target: 2500, elapsed: 42, text: '1,050 behind pace', standing: 'behind' },
])('in the week, $count of $target at $elapsed% is "$text"', ({ count, target, elapsed, text, standing }) => {
  const pace = formatWeeklyPace(count, target, elapsed);
  expect(joinPaceText(pace)).toBe(text);
  expect(pace.standing).toBe(standing);
});

test.each([
  { count: 0, target: 100, elapsed: 3, text: '100 more to go', standing: 'behind' },
  { count: 3, target: 100, elapsed: 3, text: '97 more to go', standing: 'ahead' },
  { count: 99, target: 100, elapsed: 100, text: '1 more to go', standing: 'behind' },
  { count: 100, target: 100, elapsed: 50, text: '0 over target', standing: 'reached' },
  { count: 104, target: 100, elapsed: 50, text: '4 over target', standing: 'reached' },
])('in the month, $count of $target at $elapsed% is "$text"', ({ count, target, elapsed, text, standing }) => {
  const pace = formatMonthlyPace(count, target, elapsed);
  expect(joinPaceText(pace)).toBe(text);
  expect(pace.standing).toBe(standing);
});

test('the value text is one sentence', () => {
  expect(formatValueText(1200, 2500, 'this week', '3 ahead of pace')).toBe(
    '1,200 of 2,500 contacts this week, 3 ahead of pace',
  );
});

test('the tooltip names the four statuses that count', () => {
  expect(WHAT_COUNTS).toBe(
    'A lead counts once when it first moves to In Progress, Recontact, Closed (Won) or Closed (Lost); ' +
      'later status changes do not affect the meter.',
  );
});
