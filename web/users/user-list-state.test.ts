import { expect, test } from 'vitest';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import { FIRST_PAGE, userListParams } from './user-list-state.ts';

const parse = (search: string) => parseUrlState(userListParams, FIRST_PAGE, search) ?? FIRST_PAGE;

test.each([
  ['', { q: '', role: 'all', status: 'all', page: 1 }],
  ['q=o%27hara&role=manager&status=locked&page=3', { q: "o'hara", role: 'manager', status: 'locked', page: 3 }],
] as const)('the state of "%s" survives a round trip', (search, state) => {
  expect(parse(search)).toEqual(state);
  expect(formatUrlState(state, FIRST_PAGE)).toBe(search);
});

test('invalid parameters fall back to their defaults', () => {
  expect(parse('role=king&status=asleep&page=-1')).toEqual(parse(''));
});
