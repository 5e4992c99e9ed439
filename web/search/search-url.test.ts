import { expect, test } from 'vitest';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import { EMPTY_FORM } from './search-form.ts';
import {
  NO_PARAMS,
  NO_SEARCH,
  type SearchParams,
  type SearchState,
  searchParams,
  toParams,
  toState,
} from './search-url.ts';

const parseSearch = (search: string) => {
  const params = parseUrlState<SearchParams>(searchParams, NO_PARAMS, search);
  return params && toState(params);
};
const formatSearch = (state: SearchState, search: string) => formatUrlState(toParams(state), NO_PARAMS, search);

const state: SearchState = {
  form: {
    businessType: 'café & bar',
    location: 'Leeds',
    searchMethod: 'nearbySearch',
    openNow: true,
    advancedUsed: true,
    radiusMiles: '7',
    maxResults: '40',
    sortBy: 'rating',
    keyword: 'vegan',
  },
  page: 2,
  view: { layout: 'table', sort: { by: 'rating', direction: 'descending' }, hideLeads: true },
};

test('every field, the page and the view survive a round trip', () => {
  expect(parseSearch(formatSearch(state, ''))).toEqual(state);
  expect(formatSearch(state, '?tab=search')).toBe(
    'tab=search&type=caf%C3%A9+%26+bar&location=Leeds&method=nearbySearch&openNow=true&radius=7&max=40&sortBy=rating' +
      '&keyword=vegan&page=2&view=table&order=-rating&hideLeads=true',
  );
});

test('default values add nothing to the URL', () => {
  const form = { ...EMPTY_FORM, businessType: 'bakery', location: 'Leeds' };
  expect(formatSearch(NO_SEARCH, '')).toBe('');
  expect(formatSearch({ ...NO_SEARCH, form }, '')).toBe('type=bakery&location=Leeds');
  expect(parseSearch('type=bakery&location=Leeds')).toEqual({ ...NO_SEARCH, form });
  expect(parseSearch('?tab=crm')).toBeUndefined();
});

test('an emptied radius stays different from one that was never used', () => {
  const form = { ...EMPTY_FORM, businessType: 'bakery', location: 'Leeds', advancedUsed: true, radiusMiles: '' };
  expect(parseSearch(formatSearch({ ...NO_SEARCH, form }, ''))?.form).toEqual(form);
});

test('invalid values fall back to their defaults', () => {
  expect(parseSearch('type=bakery&method=ask&openNow=1&sortBy=luck&page=0&view=globe&order=-luck')).toEqual({
    ...NO_SEARCH,
    form: { ...EMPTY_FORM, businessType: 'bakery' },
  });
});
