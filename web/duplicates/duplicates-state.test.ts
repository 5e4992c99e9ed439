import { expect, test } from 'vitest';
import { FIRST_PAGE, formatDuplicates, parseDuplicates } from './duplicates-state.ts';

test.each([
  ['', FIRST_PAGE],
  ['state=dismissed', { ...FIRST_PAGE, state: 'dismissed' }],
  ['reason=phone&page=3', { ...FIRST_PAGE, reason: 'phone', page: 3 }],
] as const)('the URL %j and its state', (search, state) => {
  expect(parseDuplicates(search)).toEqual(state);
  expect(formatDuplicates(state)).toBe(search);
});

test.each(['state=merged', 'reason=rating', 'page=0', 'page=x'])('%s in the URL is left out', (search) => {
  expect(parseDuplicates(search)).toEqual(FIRST_PAGE);
});
