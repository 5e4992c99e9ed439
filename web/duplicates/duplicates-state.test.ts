import { expect, test } from 'vitest';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import { duplicatesParams, FIRST_PAGE } from './duplicates-state.ts';

const parse = (search: string) => parseUrlState(duplicatesParams, FIRST_PAGE, search) ?? FIRST_PAGE;

test.each([
  ['', FIRST_PAGE],
  ['state=dismissed', { ...FIRST_PAGE, state: 'dismissed' }],
  ['reason=phone&page=3', { ...FIRST_PAGE, reason: 'phone', page: 3 }],
] as const)('the URL %j and its state', (search, state) => {
  expect(parse(search)).toEqual(state);
  expect(formatUrlState(state, FIRST_PAGE)).toBe(search);
});

test.each(['state=merged', 'reason=rating', 'page=0', 'page=x'])('%s in the URL is left out', (search) => {
  expect(parse(search)).toEqual(FIRST_PAGE);
});
