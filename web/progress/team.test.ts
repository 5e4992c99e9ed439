import { expect, test } from 'vitest';
import { aTeamItem } from '#web/testing/fixtures.ts';
import { findMembers, groupMembers, joinMembers, summarizeTeam } from './team.ts';

const month = [
  aTeamItem(1, 'Ada', 70, 100),
  aTeamItem(2, 'Bob', 69, 100),
  aTeamItem(3, 'Cleo', 40, 100),
  aTeamItem(4, 'Dan', 39, 100),
  aTeamItem(5, 'Eve', 0, 100),
  aTeamItem(6, 'Fay', 90, 100),
];

test('members are grouped, the highest percentage first, and empty groups are left out', () => {
  const namesByGroup = (percent: number) =>
    groupMembers(joinMembers(month, [], []), percent).map(({ group, members }) => [
      group,
      ...members.map(({ name }) => name),
    ]);
  expect(namesByGroup(50)).toEqual([
    ['Top Performers', 'Fay', 'Ada'],
    ['On Track', 'Bob', 'Cleo'],
    ['Needs Attention', 'Dan'],
    ['Just Started', 'Eve'],
  ]);
  expect(namesByGroup(3)).toEqual([
    ['Top Performers', 'Fay', 'Ada', 'Bob', 'Cleo', 'Dan'],
    ['Just Started', 'Eve'],
  ]);
});

test('a user with contacts is active, and the contacts are summed', () => {
  expect(summarizeTeam(month)).toEqual({ active: 5, contacts: 308 });
  expect(summarizeTeam([])).toEqual({ active: 0, contacts: 0 });
});

test('the weeks are joined by user; a user missing from them has no contacts', () => {
  const [ada, bob] = joinMembers(month, [aTeamItem(1, 'Ada', 9, 25)], [aTeamItem(2, 'Bob', 3, 25)]);
  expect(ada).toMatchObject({ week: { count: 9 }, lastWeek: { count: 0, target: 25 } });
  expect(bob).toMatchObject({ week: { count: 0, target: 25 }, lastWeek: { count: 3 } });
});

test('a user without a full name is shown by username', () => {
  expect(joinMembers([aTeamItem(7, '', 1, 10)], [], [])[0]?.name).toBe('user7');
});

test('members are found by part of their name', () => {
  const members = joinMembers(month, [], []);
  expect(findMembers(members, ' A ').map(({ name }) => name)).toEqual(['Ada', 'Dan', 'Fay']);
  expect(findMembers(members, '')).toBe(members);
});
