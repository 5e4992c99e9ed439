import { expect, test } from 'vitest';
import { nameGroup, resolveComparedDays, toComparedKey } from './group.ts';

test.each([
  ['person', '7', 'Priya Shah', 'Priya Shah'],
  ['week', '2026-11-09', '2026-11-09', '2026-11-09'],
  ['district', '', '', 'No district'],
  ['source', '', '', 'Not recorded'],
  ['source', 'sweep', 'sweep', 'Sweep'],
  ['source', 'file:spring.csv', 'file:spring.csv', 'File: spring.csv'],
] as const)('a group by %s with the key "%s"', (by, key, name, expected) => {
  expect(nameGroup(by, { key, name })).toBe(expected);
});

test('a week is compared with the week before, other groups with the period before', () => {
  const period = { days: { from: '2026-11-01', to: '2026-11-19' }, before: { from: '2026-10-01', to: '2026-10-19' } };
  expect(resolveComparedDays('week', period)).toEqual({ from: '2026-10-25', to: '2026-11-12' });
  expect(toComparedKey('week', '2026-11-02')).toBe('2026-10-26');
  expect([resolveComparedDays('field12', period), toComparedKey('type', 'Cafe')]).toEqual([period.before, 'Cafe']);
});
