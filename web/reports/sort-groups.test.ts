import { expect, test } from 'vitest';
import { sortGroups, toggleSort } from './sort-groups.ts';

const STEPS = { assigned: 30, contacted: 20, reached: 15, qualified: 10, lost: 2 };
// What it is compared with does not sort it.
const group = (name: string, won: number) => ({ key: name, name, ...STEPS, won, before: { ...STEPS, won: 9 - won } });
const GROUPS = [group('LS10', 3), group('LS2', 5), group('LS1', 3)] as const;
const NO_DISTRICT = { ...group('', 4), key: '' };

test.each([
  ['name', ['LS1', 'LS2', 'LS10']],
  ['name-desc', ['LS10', 'LS2', 'LS1']],
  ['won-desc', ['LS2', 'LS10', 'LS1']],
  ['won', ['LS10', 'LS1', 'LS2']],
] as const)('by %s', (sort, names) => {
  expect(sortGroups(GROUPS, sort).map(({ name }) => name)).toEqual(names);
  expect(sortGroups([NO_DISTRICT, ...GROUPS], sort).map(({ name }) => name)).toEqual([...names, '']);
});

test('by what the leads of each group add up to', () => {
  const [few, many, some] = GROUPS;
  const groups = [
    { ...few, sum: 10.5 },
    { ...many, sum: -2 },
    { ...some, sum: 900 },
    { ...NO_DISTRICT, sum: 5_000 },
  ];
  expect(sortGroups(groups, 'sum-desc').map(({ name }) => name)).toEqual(['LS1', 'LS10', 'LS2', '']);
  expect(sortGroups(groups, 'sum').map(({ name }) => name)).toEqual(['LS2', 'LS10', 'LS1', '']);
  // In an address from before the field was left out.
  expect(sortGroups(GROUPS, 'sum-desc')).toEqual(GROUPS);
});

test('figures begin with the largest, names with A; a second click turns the order', () => {
  expect(toggleSort('assigned-desc', 'won')).toBe('won-desc');
  expect(toggleSort('won-desc', 'won')).toBe('won');
  expect(toggleSort('won', 'name')).toBe('name');
  expect(toggleSort('name', 'name')).toBe('name-desc');
});
