import { expect, test } from 'vitest';
import { formatUserList, parseUserList } from './user-list-state.ts';

test.each([
  ['', { search: '', role: 'all', state: 'all', page: 1 }],
  ['q=o%27hara&role=manager&status=locked&page=3', { search: "o'hara", role: 'manager', state: 'locked', page: 3 }],
] as const)('the state of "%s" survives a round trip', (search, state) => {
  expect(parseUserList(search)).toEqual(state);
  expect(formatUserList(state)).toBe(search);
});

test('invalid parameters fall back to their defaults', () => {
  expect(parseUserList('role=king&status=asleep&page=-1')).toEqual(parseUserList(''));
});
