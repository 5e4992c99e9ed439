import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { ApiError, ConnectionError } from '#web/kit/api.ts';
import { aPlace, aSearchResponse } from '#web/testing/fixtures.ts';
import { card, field, fill, open, searchButton } from '#web/testing/search.tsx';
import { isRetryable, toErrorPanel, toToastMessage } from './search-errors.ts';

test.each([
  ['503: The Places API key is missing.', 'Places API Error', /key is missing or invalid.*contact the administrator/],
  ['429: The places api quota is used up', 'Places API Error', /quota has been exceeded.*try again later or contact/],
  ['429: OVER_QUERY_LIMIT', 'Error Fetching Results', /quota has been exceeded/],
  [
    '502: REQUEST_DENIED',
    'Error Fetching Results',
    /denied, possibly due to API key restrictions or invalid parameters/,
  ],
  ['500: Something went wrong', 'Error Fetching Results', /^500: Something went wrong$/],
])('"%s" has the title "%s" and a message', (reason, title, message) => {
  expect(toErrorPanel(new Error(reason))).toEqual({ title, message: expect.stringMatching(message) });
});

test.each<[ErrorCode | undefined, string, RegExp]>([
  ['api_key_missing', 'no', /key is missing.*contact the administrator/],
  ['over_query_limit', 'no', /quota.*try again later/],
  ['request_denied', 'no', /denied.*key restrictions/],
  ['invalid_request', 'no', /check the search parameters/],
  ['provider_error', 'The Places API of osm failed.', /^The Places API of osm failed\.$/],
  [undefined, 'Bad Gateway', /^Bad Gateway$/],
  [undefined, '', /^An unknown error occurred$/],
])('%s with "%s" has its toast message', (code, reason, message) => {
  expect(toToastMessage(new ApiError(500, reason, code ? { code } : {}))).toMatch(message);
});

test('only temporary errors are retryable', () => {
  const retryable = (status: number, code: ErrorCode) => isRetryable(new ApiError(status, '', { code }));
  expect(isRetryable(new ConnectionError())).toBe(true);
  expect(retryable(502, 'provider_error')).toBe(true);
  expect(retryable(504, 'provider_timeout')).toBe(true);
  expect(retryable(503, 'busy')).toBe(true);
  expect(retryable(503, 'api_key_missing')).toBe(false);
  expect(retryable(502, 'request_denied')).toBe(false);
  expect(retryable(429, 'over_query_limit')).toBe(false);
  expect(retryable(400, 'invalid_request')).toBe(false);
});

test('a refused search keeps the form and shows the reason; Try Again repeats it', async () => {
  const { server, allToasts } = open();
  server.refuses(searchBusinesses, 'over_query_limit', 'The Places API quota is used up (OVER_QUERY_LIMIT).');
  await fill();
  await userEvent.click(searchButton());
  expect(await screen.findByRole('heading', { name: 'Places API Error' })).toBeVisible();
  expect(allToasts()).toEqual(['Search failed | The Places API quota has been exceeded. Please try again later.']);
  expect(server.times(searchBusinesses)).toBe(1);
  expect(field('Business Type')).toHaveValue('bakery');
  expect(field('Location')).toHaveValue('Leeds');
  expect(searchButton()).toBeEnabled();

  server.responds(searchBusinesses, aSearchResponse([aPlace(1)]));
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(card('Shop 1')).toBeVisible());
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull();
});

test('a server error is retried once, then shown', async () => {
  const { server } = open();
  server.refuses(searchBusinesses, 'internal', 'Something went wrong');
  await fill();
  await userEvent.click(searchButton());
  expect(await screen.findByRole('heading', { name: 'Error Fetching Results' })).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();
  expect(server.times(searchBusinesses)).toBe(2);
});

test('Search after a failure sends the request again', async () => {
  const { server } = open();
  server.refuses(searchBusinesses, 'invalid_request', 'No place called "Leeds"');
  await fill();
  await userEvent.click(searchButton());
  await screen.findByRole('button', { name: 'Try Again' });
  server.responds(searchBusinesses, aSearchResponse([aPlace(1)]));
  await userEvent.click(searchButton());
  await waitFor(() => expect(card('Shop 1')).toBeVisible());
});
