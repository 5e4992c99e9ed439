import { expect, test } from 'vitest';
import { chooseTeamGroup } from './team-groups.ts';

test.each([
  { count: 0, percentage: 0, month: 3, group: 'Just Started' },
  { count: 70, percentage: 70, month: 50, group: 'Top Performers' },
  { count: 69, percentage: 69.9, month: 50, group: 'On Track' },
  { count: 40, percentage: 40, month: 50, group: 'On Track' },
  { count: 39, percentage: 39.9, month: 50, group: 'Needs Attention' },
  { count: 1, percentage: 1, month: 3, group: 'On Track' },
  { count: 150, percentage: 150, month: 100, group: 'Top Performers' },
  { count: 100, percentage: 100, month: 100, group: 'On Track' },
])('$percentage% with $month% of the month elapsed: $group', ({ count, percentage, month, group }) => {
  expect(chooseTeamGroup({ count, percentage }, month)).toBe(group);
});
