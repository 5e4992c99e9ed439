import { describe, expect, test } from 'vitest';
import { exportRequest, searchRequest } from './search.ts';

const minimal = { businessType: 'Bakery', location: 'Leeds' };
const firstMessage = (request: object) => searchRequest.safeParse(request).error?.issues[0]?.message;

test('a minimal request gets the defaults', () => {
  expect(searchRequest.parse({ businessType: ' Bakery ', location: 'Leeds' })).toEqual({
    businessType: 'Bakery',
    location: 'Leeds',
    searchMethod: 'textSearch',
    page: 1,
    pageSize: 20,
    radius: 5000,
    sortBy: 'relevance',
    maxResults: 20,
  });
});

test.each([
  [{ location: 'Leeds' }, 'Business type is required'],
  [{ businessType: '', location: 'Leeds' }, 'Business type is required'],
  [{ businessType: '  ', location: 'Leeds' }, 'Business type is required'],
  [{ businessType: 5, location: 'Leeds' }, 'Business type is required'],
  [{ businessType: 'Bakery' }, 'Location is required'],
  [{ businessType: 'Bakery', location: ' ' }, 'Location is required'],
])('%o is refused with "%s"', (request, message) => {
  expect(firstMessage(request)).toBe(message);
});

describe('limits', () => {
  test.each([
    { page: 1 },
    { pageSize: 5 },
    { pageSize: 100 },
    { radius: 1 },
    { radius: 50_000 },
    { radius: 4828.02 },
    { minPrice: 0, maxPrice: 4 },
    { openNow: false },
    { maxResults: 1 },
    { maxResults: 100 },
    { sortBy: 'prominence' },
    { searchMethod: 'findPlace' },
    { nextPageToken: null, keyword: null, openNow: null },
    { unknown: 'field' },
  ])('%o is accepted', (fields) => {
    expect(firstMessage({ ...minimal, ...fields })).toBeUndefined();
  });

  test.each([
    { page: 0 },
    { page: 1.5 },
    { page: '1' },
    { pageSize: 4 },
    { pageSize: 101 },
    { radius: 0 },
    { radius: 50_001 },
    { radius: '5000' },
    { minPrice: -1 },
    { maxPrice: 5 },
    { minPrice: 3, maxPrice: 2 },
    { openNow: 'false' },
    { maxResults: 0 },
    { maxResults: 101 },
    { sortBy: 'name' },
    { searchMethod: 'radar' },
    { keyword: 'a\u0007b' },
    { keyword: 'x'.repeat(201) },
    { businessType: 'x'.repeat(201) },
    { location: ['Leeds'] },
  ])('%o is refused', (fields) => {
    expect(firstMessage({ ...minimal, ...fields })).toBeDefined();
  });
});

test.each([
  [{ format: 'csv', placeIds: [] }, 'Please select at least one business to export.'],
  [{ format: 'csv' }, 'Please select at least one business to export.'],
  [{ format: 'xlsx', placeIds: ['a'] }, 'The format must be csv'],
  [{ format: 'csv', placeIds: Array(501).fill('a') }, 'At most 500 businesses can be exported at once'],
])('the export %o is refused with "%s"', (request, message) => {
  expect(exportRequest.safeParse(request).error?.issues[0]?.message).toBe(message);
});
