import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { aPlace, aSearchResponse } from '#web/testing/fixtures.ts';
import { field, fill, open, search, searchButton } from '#web/testing/search.tsx';

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const type = (name: string, text: string) => userEvent.type(field(name), text);

test('the form has its fields, and sends nothing before it is submitted', () => {
  const { server } = open();
  expect(screen.getByRole('heading', { level: 1, name: 'Search for Businesses' })).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Text Search' })).toBeChecked();
  for (const [method, hint] of [
    ['Text Search', 'All that match the words in and around the place, best matches first.'],
    ['Nearby Search', 'All of a type within the radius, nearest first.'],
    ['Find Place', 'One business by its name.'],
  ])
    expect(screen.getByRole('radio', { name: method })).toHaveAccessibleDescription(hint);
  expect(screen.getByRole('checkbox', { name: 'Open Now' })).not.toBeChecked();
  expect(screen.getByRole('button', { name: 'Advanced' })).toHaveAttribute('aria-expanded', 'false');
  expect(searchButton()).toBeEnabled();
  expect(server.requests).toEqual([]);
});

test('both fields are required, with a message and the focus', async () => {
  const { server } = open();
  await userEvent.click(searchButton());
  expect(field('Business Type')).toHaveAccessibleDescription('Business type is required');
  expect(field('Location')).toHaveAccessibleDescription('Location is required');
  expect(field('Business Type')).toHaveFocus();
  await type('Business Type', 'b');
  expect(screen.queryByText('Business type is required')).toBeNull();
  expect(field('Location')).toHaveAccessibleDescription('Location is required');
  expect(server.requests).toEqual([]);
});

test('suggestions open from two characters on, prefix matches first, at most ten locations', async () => {
  open();
  await type('Location', 'l');
  expect(options()).toEqual([]);
  expect(field('Location')).toHaveAttribute('aria-expanded', 'false');
  await type('Location', 'e');
  await waitFor(() => expect(options()).toHaveLength(10));
  expect(options()[0]).toMatch(/^Le/);
  await type('Business Type', 'sh');
  await waitFor(() => expect(options()).toHaveLength(20));
  expect(options()[0]).toMatch(/^Sh/);
});

test('suggestions work by keyboard', async () => {
  const { server } = open();
  const location = field('Location');
  await type('Location', 'leed');
  await screen.findByRole('option', { name: 'Leeds' });
  expect(location).toHaveAttribute('aria-expanded', 'true');
  expect(location).toHaveAttribute('aria-controls', screen.getByRole('listbox', { name: 'Suggestions' }).id);
  await userEvent.keyboard('{ArrowDown}');
  const leeds = screen.getByRole('option', { name: 'Leeds', selected: true });
  expect(location).toHaveAttribute('aria-activedescendant', leeds.id);
  await userEvent.keyboard('{Enter}');
  expect(location).toHaveValue('Leeds');
  expect(options()).toEqual([]);
  expect(server.requests, 'Enter took the suggestion and sent nothing').toEqual([]);

  await type('Business Type', 'bak');
  await screen.findByRole('option', { name: 'Bakery' });
  await userEvent.keyboard('{ArrowUp}');
  expect(screen.getAllByRole('option').at(-1)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Escape}');
  expect(options()).toEqual([]);
  expect(field('Business Type')).toHaveValue('bak');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(options().length).toBeGreaterThan(0);
  await userEvent.tab();
  expect(options()).toEqual([]);
});

test('an exact match is suggested, too', async () => {
  open();
  await type('Location', 'LEEDS');
  await userEvent.click(await screen.findByRole('option', { name: 'Leeds' }));
  expect(field('Location')).toHaveValue('Leeds');
});

test('a suggestion is picked by pointer, and Enter without an active one submits', async () => {
  const { lastSearch } = open();
  await type('Business Type', 'bake');
  await userEvent.click(await screen.findByRole('option', { name: 'Bakery' }));
  expect(field('Business Type')).toHaveValue('Bakery');
  await type('Location', 'Leeds{Enter}');
  await screen.findByText('No Results Found');
  expect(lastSearch()).toMatchObject({ businessType: 'Bakery', location: 'Leeds' });
});

test('a plain search sends the defaults', async () => {
  const { lastSearch } = await search();
  expect(lastSearch()).toEqual({
    businessType: 'bakery',
    location: 'Leeds',
    searchMethod: 'textSearch',
    page: 1,
    pageSize: 20,
    radius: 5000,
    maxResults: 20,
    sortBy: 'relevance',
  });
});

async function openAdvanced(radius?: string, maxResults?: string) {
  const opened = open();
  await fill();
  await userEvent.click(screen.getByRole('button', { name: 'Advanced' }));
  const change = async (input: HTMLElement, text: string | undefined) => {
    if (text === undefined) return;
    await userEvent.clear(input);
    if (text) await userEvent.type(input, text);
  };
  await change(screen.getByLabelText('Search Radius (miles)'), radius);
  await change(screen.getByLabelText('Max Results'), maxResults);
  return opened;
}

test('the advanced panel has its defaults and hints', async () => {
  await openAdvanced();
  expect(screen.getByLabelText('Search Radius (miles)')).toHaveValue(3);
  expect(screen.getByLabelText('Max Results')).toHaveValue(20);
  expect(screen.getByLabelText('Max Results')).toHaveAccessibleDescription('20 or fewer results reduces API usage');
  expect(screen.getByLabelText(/Additional Keyword/)).toHaveAccessibleDescription(
    'Use to narrow results, e.g. pizza, 24 hours',
  );
  const sorts = [...screen.getByLabelText<HTMLSelectElement>('Sort Results By').options].map(({ text }) => text);
  expect(sorts).toEqual(['Relevance', 'Distance', 'Rating', 'Prominence']);
  await userEvent.click(screen.getByRole('button', { name: 'Advanced' }));
  expect(screen.queryByLabelText('Max Results')).toBeNull();
});

test.each([
  { miles: undefined, results: undefined, radius: 4828, maxResults: 20 },
  { miles: '1', results: '1', radius: 1609, maxResults: 1 },
  { miles: '30', results: '60', radius: 48280, maxResults: 60 },
  { miles: '', results: '', radius: 5000, maxResults: 20 },
])(
  '$miles miles and $results results are sent as $radius m and $maxResults',
  async ({ miles, results, radius, maxResults }) => {
    const { lastSearch } = await openAdvanced(miles, results);
    await userEvent.click(searchButton());
    await screen.findByText('No Results Found');
    expect(lastSearch()).toMatchObject({ radius, maxResults });
  },
);

test.each([
  { miles: '31', results: undefined, message: 'Search radius must be between 1 and 30 miles' },
  { miles: '0', results: undefined, message: 'Search radius must be between 1 and 30 miles' },
  { miles: undefined, results: '61', message: 'Max results must be a whole number from 1 to 60' },
  { miles: undefined, results: '2.5', message: 'Max results must be a whole number from 1 to 60' },
])('$miles miles and $results results are refused, even with the panel closed', async ({ miles, results, message }) => {
  const { server } = await openAdvanced(miles, results);
  await userEvent.click(screen.getByRole('button', { name: 'Advanced' }));
  await userEvent.click(searchButton());
  expect(screen.getByText(message)).toBeVisible();
  expect(server.requests).toEqual([]);
});

test('method, Open Now, sort and keyword are sent', async () => {
  const { lastSearch } = await openAdvanced();
  await userEvent.click(screen.getByRole('radio', { name: 'Nearby Search' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Open Now' }));
  await userEvent.selectOptions(screen.getByLabelText('Sort Results By'), 'Rating');
  await userEvent.type(screen.getByLabelText(/Additional Keyword/), ' sourdough ');
  await userEvent.click(searchButton());
  await screen.findByText('No Results Found');
  expect(lastSearch()).toMatchObject({
    searchMethod: 'nearbySearch',
    openNow: true,
    sortBy: 'rating',
    keyword: 'sourdough',
  });
});

test('the search button is busy while the search is pending', async () => {
  const { server } = open();
  const held = server.holds(searchBusinesses);
  await fill();
  await userEvent.click(searchButton());
  expect(await screen.findByText('Searching for businesses...')).toBeVisible();
  expect(searchButton()).toHaveAttribute('aria-disabled', 'true');
  expect(searchButton()).toHaveAttribute('aria-busy', 'true');
  held.respond(aSearchResponse([aPlace(1)]));
  await screen.findByRole('article', { name: 'Shop 1' });
  expect(searchButton()).not.toHaveAttribute('aria-disabled');
});

test('the same search within 30 seconds comes from the cache; a changed one is sent', async () => {
  const { server } = await search({ response: aSearchResponse([aPlace(1)]) });
  await userEvent.click(searchButton());
  expect(server.times(searchBusinesses)).toBe(1);
  await userEvent.type(field('Location'), ' LS1');
  await userEvent.click(searchButton());
  await waitFor(() => expect(server.times(searchBusinesses)).toBe(2));
});

test('typing right after a press elsewhere keeps the suggestions open', async () => {
  open();
  await type('Location', 'lon');
  const advanced = screen.getByRole('button', { name: 'Advanced' });
  fireEvent.mouseDown(advanced);
  act(() => field('Location').blur());
  fireEvent.mouseUp(advanced);
  act(() => field('Location').focus());
  fireEvent.change(field('Location'), { target: { value: 'leeds' } });
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(options()).toContain('Leeds');
});
