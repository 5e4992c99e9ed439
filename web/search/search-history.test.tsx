import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { MORE_MATCH } from '#contract/search/search.ts';
import { aPlace, aSearchResponse } from '#web/testing/fixtures.ts';
import { box, field, names, open, search, searchButton } from '#web/testing/search.tsx';

const path = () => window.location.pathname + window.location.search;
const first = aSearchResponse([aPlace(1)], { totalPages: 2, totalCount: 21, nextPageToken: 'second' });
const second = aSearchResponse([aPlace(2)], { page: 2, totalPages: 2, totalCount: 21 });
const google = { provider: 'google' as const };
const goBack = async (expected: string) => {
  window.history.back();
  await waitFor(() => expect(path()).toBe(expected));
};

beforeEach(() => window.history.pushState(null, '', '/search'));

test('a URL with a search fills in the form, sends the search once and opens its page and view', async () => {
  window.history.replaceState(null, '', '/search?type=bakery&location=Leeds&openNow=true&max=40&page=2&view=table');
  const { server, lastSearch } = open({ response: second });
  expect(await screen.findByRole('table')).toBeVisible();
  expect(field('Business Type')).toHaveValue('bakery');
  expect(field('Location')).toHaveValue('Leeds');
  expect(box('Open Now')).toBeChecked();
  expect(screen.getByText('Page 2 of 2')).toBeVisible();
  expect(lastSearch()).toMatchObject({ businessType: 'bakery', openNow: true, maxResults: 40, page: 2 });
  expect(server.times(searchBusinesses)).toBe(1);
});

test('an invalid search in a URL fills in the form and sends nothing', async () => {
  window.history.replaceState(null, '', '/search?type=bakery&location=Leeds&radius=99');
  const { server } = open();
  expect(field('Business Type')).toHaveValue('bakery');
  expect(screen.getByRole('heading', { name: 'Who are you looking for?' })).toBeVisible();
  expect(server.times(searchBusinesses)).toBe(0);
});

test('Back undoes a view, a page and a search, from stored responses', async () => {
  const { server } = await search({ response: first });
  server.responds(searchBusinesses, second);
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await waitFor(() => expect(names()).toEqual(['Shop 2']));
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  expect(path()).toBe('/search?type=bakery&location=Leeds&page=2&view=table');

  await goBack('/search?type=bakery&location=Leeds&page=2');
  await waitFor(() => expect(names()).toEqual(['Shop 2']));
  await goBack('/search?type=bakery&location=Leeds');
  await waitFor(() => expect(names()).toEqual(['Shop 1']));
  await goBack('/search');
  expect(await screen.findByRole('heading', { name: 'Who are you looking for?' })).toBeVisible();
  expect(field('Location')).toHaveValue('');
  expect(server.times(searchBusinesses)).toBe(2);
});

test.each([
  { provider: 'google', repeated: 1 },
  { provider: 'osm', repeated: 2 },
] as const)(
  'after a minute, the stored response of $provider is shown again with $repeated requests in all',
  async ({ provider, repeated }) => {
    const { server, queries, unmount } = await search({
      response: aSearchResponse([aPlace(1)], { provider }),
    });
    vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.now() + 60_000 });
    unmount();
    const again = open({ response: aSearchResponse([aPlace(1)], { provider }), queries });
    expect(names()).toEqual(['Shop 1']);
    const requests = () => server.times(searchBusinesses) + again.server.times(searchBusinesses);
    await waitFor(() => expect(requests()).toBe(repeated));
    expect(again.queries.isFetching()).toBe(0);
  },
);

test('what was typed since the search stays when Back undoes a view', async () => {
  await search({ response: first });
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  await userEvent.type(field('Location'), ' LS1');
  await goBack('/search?type=bakery&location=Leeds');
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(field('Location')).toHaveValue('Leeds LS1');
});

test('a button of the notice raises max results and searches again, up to the limit', async () => {
  const { server, lastSearch } = await search({
    response: aSearchResponse([aPlace(1)], { ...google, notices: [MORE_MATCH] }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Raise Max Results to 40' }));
  await waitFor(() => expect(lastSearch()).toMatchObject({ maxResults: 40, page: 1 }));
  await userEvent.click(await screen.findByRole('button', { name: 'Raise Max Results to 60' }));
  await waitFor(() => expect(lastSearch()).toMatchObject({ maxResults: 60 }));
  expect(await screen.findByText(MORE_MATCH)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Raise/ })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Advanced' }));
  expect(screen.getByLabelText('Max Results')).toHaveValue(60);
  expect(server.times(searchBusinesses)).toBe(3);
});

test('the selection bar has the actions while businesses are selected, and clearing it moves the focus to the results', async () => {
  await search({ response: aSearchResponse([aPlace(1), aPlace(2)]) });
  expect(screen.getByRole('button', { name: 'Assign to User' })).toBeDisabled();
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  await userEvent.click(box('Select All'));
  expect(screen.getByRole('region', { name: 'Selection' })).toHaveTextContent('2 selected');
  expect(screen.getByRole('region', { name: 'Selection' })).toContainElement(
    screen.getByRole('button', { name: 'Assign to User' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.getByRole('heading', { name: /^Results/ })).toHaveFocus();
  expect(searchButton()).toBeVisible();
});
