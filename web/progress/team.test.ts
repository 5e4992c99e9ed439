import { expect, test } from 'vitest';
import { aTeamItem } from '#web/testing/fixtures.ts';
import { findMembers, groupsOf, membersOf, summaryOf } from './team.ts';

const month = [
  aTeamItem(1, 'Ada', 70, 100),
  aTeamItem(2, 'Bob', 69, 100),
  aTeamItem(3, 'Cleo', 40, 100),
  aTeamItem(4, 'Dan', 39, 100),
  aTeamItem(5, 'Eve', 0, 100),
  aTeamItem(6, 'Fay', 90, 100),
];

test('the members stand in their groups, the furthest first, and empty groups are left out', () => {
  const named = (percent: number) =>
    groupsOf(membersOf(month, [], []), percent).map(({ group, members }) => [
      group,
      ...members.map(({ name }) => name),
    ]);
  expect(named(50)).toEqual([
    ['Top Performers', 'Fay', 'Ada'],
    ['On Track', 'Bob', 'Cleo'],
    ['Needs Attention', 'Dan'],
    ['Just Started', 'Eve'],
  ]);
  expect(named(3)).toEqual([
    ['Top Performers', 'Fay', 'Ada', 'Bob', 'Cleo', 'Dan'],
    ['Just Started', 'Eve'],
  ]);
});

test('who has done anything is active, and all contacts are summed up', () => {
  expect(summaryOf(month)).toEqual({ active: 5, contacts: 308 });
  expect(summaryOf([])).toEqual({ active: 0, contacts: 0 });
});

test('the weeks are joined by user; who is missing there has done nothing', () => {
  const [ada, bob] = membersOf(month, [aTeamItem(1, 'Ada', 9, 25)], [aTeamItem(2, 'Bob', 3, 25)]);
  expect(ada).toMatchObject({ week: { count: 9 }, lastWeek: { count: 0, target: 25 } });
  expect(bob).toMatchObject({ week: { count: 0, target: 25 }, lastWeek: { count: 3 } });
});

test('somebody without a full name goes by their username', () => {
  expect(membersOf([aTeamItem(7, '', 1, 10)], [], [])[0]?.name).toBe('user7');
});

test('members are found by a part of their name', () => {
  const members = membersOf(month, [], []);
  expect(findMembers(members, ' A ').map(({ name }) => name)).toEqual(['Ada', 'Dan', 'Fay']);
  expect(findMembers(members, '')).toBe(members);
});
