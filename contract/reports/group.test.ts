import { expect, test } from 'vitest';
import { nameGroup } from './group.ts';

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
