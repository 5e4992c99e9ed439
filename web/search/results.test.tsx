import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { takeLead } from '#contract/leads/adding/adding.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { MORE_MATCH, type SearchResponse } from '#contract/search/search.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { aFoundLead, aLead, aPlace, aSearchResponse, bob, SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { box, card, fill, names, open, search } from '#web/testing/search.tsx';
import { formatPriceLevel, toStatusBadge } from './ResultCards.tsx';
import { sortResults } from './results-view.ts';

const click = (role: string, name: string | RegExp) => userEvent.click(screen.getByRole(role, { name }));
const three = [
  aPlace(1, { name: 'Crumb', rating: 4.5, userRatingsTotal: 1, phone: '0113 496 0003' }),
  aPlace(2, { name: 'Aire', rating: null }),
  aPlace(3, { name: 'Bun', rating: 3.9, phone: '0113 496 0001' }),
];

test.each([
  ['OPERATIONAL', 'OPERATIONAL', 'good'],
  ['CLOSED_TEMPORARILY', 'CLOSED TEMPORARILY', 'warn'],
  ['CLOSED_PERMANENTLY', 'CLOSED PERMANENTLY', 'danger'],
  ['FUTURE_OPENING', 'FUTURE OPENING', 'neutral'],
  [null, 'UNKNOWN', 'neutral'],
])('business status %s is "%s" in %s', (status, label, tone) => {
  expect(toStatusBadge(status)).toEqual({ label, tone });
});

test('a price level is shown as dollar signs', () => {
  expect([null, 0, 1, 4].map(formatPriceLevel)).toEqual(['N/A', '', '$', '$$$$']);
});

test('results without a value come last in both directions', () => {
  const order = (direction: 'ascending' | 'descending') =>
    sortResults(three, { by: 'rating', direction }).map(({ name }) => name);
  expect(order('ascending')).toEqual(['Bun', 'Crumb', 'Aire']);
  expect(order('descending')).toEqual(['Crumb', 'Bun', 'Aire']);
});

test('a wrong phone number is shown as such and cannot be called, as a card and in the table', async () => {
  await search({
    response: aSearchResponse([aPlace(1, { name: 'Crumb', phone: '0113 496 0000', phoneIsWrong: true })]),
  });
  expect(within(card('Crumb')).getByText('Wrong number')).toBeVisible();
  expect(screen.queryByRole('link', { name: '0113 496 0000' })).toBeNull();
  await click('button', 'Table');
  expect(within(screen.getByRole('row', { name: /Crumb/ })).getByText('Wrong number')).toBeVisible();
  expect(screen.queryByRole('link', { name: '0113 496 0000' })).toBeNull();
});

test('a card shows every field of a result', async () => {
  await search({
    response: aSearchResponse([
      aPlace(1, {
        name: 'Crumb',
        openNow: true,
        priceLevel: 2,
        rating: 4.46,
        userRatingsTotal: 1234,
        phone: '0113 496 0000',
        ownerName: 'Olive Owner',
        website: 'https://crumb.example',
        googleMapsUrl: 'https://maps.google.com/?cid=1',
        distanceMetres: 1609,
      }),
    ]),
  });
  expect(screen.getByRole('heading', { level: 2, name: 'Results (1 found)' })).toBeVisible();
  expect(screen.getByText('Showing 1 of 1 results')).toBeVisible();
  const crumb = within(card('Crumb'));
  for (const text of ['OPERATIONAL', 'Open Now', '$$', '4.5', '(1,234 reviews)', 'Olive Owner', '(1.0 miles away)'])
    expect(crumb.getByText(text)).toBeVisible();
  expect(crumb.getByText(/1 High Street, Leeds/)).toBeVisible();
  expect(crumb.getByRole('link', { name: '0113 496 0000' })).toHaveAttribute('href', 'tel:01134960000');
  expect(crumb.getByRole('link', { name: 'Website' })).toHaveAttribute('href', 'https://crumb.example');
  expect(crumb.getByRole('link', { name: 'View on map' })).toHaveAttribute('rel', 'noopener noreferrer');
});

test('a card shows placeholders for missing fields and does not link unsafe URLs', async () => {
  await search({
    response: aSearchResponse([
      aPlace(1, {
        name: 'Bare',
        formattedAddress: null,
        website: 'Not provided',
        googleMapsUrl: 'javascript:alert(1)',
      }),
      aPlace(2, { name: 'Near', formattedAddress: null, vicinity: 'Briggate, Leeds' }),
    ]),
  });
  const bare = within(card('Bare'));
  for (const text of ['N/A', 'Not rated', 'No address available']) expect(bare.getByText(text)).toBeVisible();
  expect(bare.queryByText('Open Now')).toBeNull();
  expect(bare.queryByRole('link')).toBeNull();
  expect(within(card('Near')).getByText('Briggate, Leeds')).toBeVisible();
});

test.each([
  [4.4, 4, 0],
  [4.5, 4, 1],
  [5, 5, 0],
  [0.2, 0, 0],
])('a rating of %s has %s full stars and %s half stars', async (rating, full, half) => {
  const { container } = await search({ response: aSearchResponse([aPlace(1, { rating })]) });
  expect(container.querySelectorAll('[data-star="full"]')).toHaveLength(full);
  expect(container.querySelectorAll('[data-star="half"]')).toHaveLength(half);
  expect(screen.getByRole('img', { name: `${rating.toFixed(1)} out of 5 stars` })).toBeVisible();
});

test('an empty response shows No Results Found', async () => {
  await search();
  expect(screen.getByRole('heading', { name: 'No Results Found' })).toBeVisible();
  expect(screen.getByText('Try adjusting your search criteria or location')).toBeVisible();
});

test('the table sorts by each of its four columns, with an arrow', async () => {
  const { container } = await search({ response: aSearchResponse(three) });
  expect(screen.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true');
  await click('button', 'Table');
  const headers = () => screen.getAllByRole('columnheader');
  const first = () => screen.getAllByRole('row').map((row) => within(row).queryAllByRole('cell')[1]?.textContent)[1];
  expect(headers().map(({ textContent }) => textContent)).toEqual([
    'Select',
    'Business Name',
    'Address',
    'Phone Number',
    'Rating',
    'Links',
  ]);
  await click('button', 'Business Name');
  expect(headers()[1]).toHaveAttribute('aria-sort', 'ascending');
  expect(first()).toBe('Aire');
  await click('button', 'Business Name');
  expect(headers()[1]).toHaveAttribute('aria-sort', 'descending');
  expect(container.querySelector('[data-direction]')).toHaveAttribute('data-direction', 'descending');
  expect(first()).toBe('Crumb');
  await click('button', 'Phone Number');
  expect(first()).toBe('Bun');
  await click('button', 'Rating');
  expect(first()).toBe('Bun');
  await click('button', 'Address');
  expect(headers()[4]).not.toHaveAttribute('aria-sort');
  expect(first()).toBe('Crumb');
  await click('button', 'Cards');
  await userEvent.selectOptions(screen.getByLabelText('Sort this page by'), 'Rating: highest first');
  expect(names()).toEqual(['Crumb', 'Bun', 'Aire']);
  await userEvent.selectOptions(screen.getByLabelText('Sort this page by'), 'As found');
  expect(names()).toEqual(['Crumb', 'Aire', 'Bun']);
});

test('Select All reflects single selections, and sorting keeps them', async () => {
  await search({ response: aSearchResponse(three) });
  await userEvent.click(box('Select All'));
  for (const name of ['Crumb', 'Aire', 'Bun']) expect(box(`Select ${name}`)).toBeChecked();
  await userEvent.click(box('Select Aire'));
  expect(box('Select All')).not.toBeChecked();
  expect(screen.getByText('2 selected')).toBeVisible();
  await click('button', 'Table');
  await click('button', 'Business Name');
  expect(box('Select Aire')).not.toBeChecked();
  expect(box('Select Bun')).toBeChecked();
  await userEvent.click(box('Select Aire'));
  expect(box('Select All')).toBeChecked();
  await userEvent.click(box('Select All'));
  expect(screen.queryByRole('checkbox', { name: /^Select/, checked: true })).toBeNull();
});

test('the next page is requested by its token; going back opens page 1 and clears the selection', async () => {
  const { server, lastSearch, allToasts } = await search({
    response: aSearchResponse(three, { totalPages: 3, totalCount: 45, nextPageToken: 'second' }),
  });
  expect(screen.getByText('Showing 3 of 45 results')).toBeVisible();
  expect(screen.getByText('Page 1 of 3')).toBeVisible();
  await userEvent.click(box('Select All'));
  server.responds(
    searchBusinesses,
    aSearchResponse([aPlace(4), aPlace(5)], { page: 2, totalPages: 3, totalCount: 45, nextPageToken: 'third' }),
  );
  await click('button', 'Next');
  await waitFor(() => expect(names()).toEqual(['Shop 4', 'Shop 5']));
  expect(lastSearch()).toMatchObject({ page: 2, nextPageToken: 'second', location: 'Leeds' });
  expect(box('Select All')).not.toBeChecked();
  expect(screen.getByRole('region', { name: 'Results' })).toHaveFocus();

  server.responds(searchBusinesses, aSearchResponse([aPlace(6)], { page: 3, totalPages: 3, totalCount: 45 }));
  await click('button', 'Next');
  await waitFor(() => expect(names()).toEqual(['Shop 6']));
  expect(lastSearch()).toMatchObject({ page: 3, nextPageToken: 'third' });
  expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();

  await click('button', 'Previous');
  await waitFor(() => expect(names()).toEqual(['Crumb', 'Aire', 'Bun']));
  expect(allToasts().at(-1)).toBe(
    'Back to page 1 | The places provider does not support going back to an earlier page.',
  );
  expect(box('Select All')).not.toBeChecked();
});

test('a changed search starts at page 1 without a token', async () => {
  const { server, lastSearch } = await search({
    response: aSearchResponse(three, { totalPages: 2, nextPageToken: 'second' }),
  });
  server.responds(searchBusinesses, aSearchResponse([aPlace(4)], { page: 2, totalPages: 2 }));
  await click('button', 'Next');
  await waitFor(() => expect(names()).toEqual(['Shop 4']));
  await click('checkbox', 'Open Now');
  await click('button', 'Search');
  await waitFor(() => expect(lastSearch()).toMatchObject({ openNow: true, page: 1 }));
  expect(lastSearch()).not.toHaveProperty('nextPageToken');
});

test('the date of a lead is not shown before the time zone is known', async () => {
  const leads = [aFoundLead(7, { assignedAt: '2026-06-30T23:30:00.000Z' })];
  const { server } = open({ response: aSearchResponse([aPlace(1, { name: 'Held', alreadyLead: true, leads })]) });
  const settings = server.holds(getSettings);
  await fill();
  await click('button', 'Search');
  expect(await screen.findByRole('article', { name: 'Held' })).not.toHaveTextContent('2026');

  settings.respond(SETTINGS);
  await waitFor(() => expect(card('Held')).toHaveTextContent('since 01/07/2026'));
});

test('results show who holds them as leads, and those can be hidden', async () => {
  await search({
    response: aSearchResponse([
      aPlace(1, { name: 'Fresh' }),
      aPlace(2, { name: 'Held', alreadyLead: true, leads: [aFoundLead(7, { status: 'in_progress' })] }),
      aPlace(3, {
        name: 'Old Friend',
        alreadyLead: true,
        existingCustomer: true,
        leads: [aFoundLead(8, { mine: true, archived: true })],
      }),
      aPlace(4, { name: 'Secret', alreadyLead: true }),
    ]),
  });
  const held = within(card('Held'));
  expect(held.getByRole('link', { name: 'Lead of Bob Cratchit' })).toHaveAttribute(
    'href',
    `/business/uuid/${aFoundLead(7).uuid}`,
  );
  expect(card('Held')).toHaveTextContent('Lead of Bob Cratchit: In Progress, since 04/03/2026');
  expect(card('Old Friend')).toHaveTextContent('Your lead: New, since 04/03/2026, archived');
  expect(within(card('Old Friend')).getByText('Existing Customer')).toBeVisible();
  expect(card('Secret')).toHaveTextContent('Already a lead of a colleague');
  expect(card('Fresh')).not.toHaveTextContent(/lead/i);

  await userEvent.click(box('Select All'));
  await click('switch', 'Hide businesses that are already leads');
  expect(names()).toEqual(['Fresh']);
  expect(box('Select Fresh')).not.toBeChecked();
  expect(screen.getByText('Showing 1 of 4 results')).toBeVisible();
});

test('a page of hidden leads explains why it is empty', async () => {
  await search({ response: aSearchResponse([aPlace(1, { alreadyLead: true })]) });
  await click('switch', 'Hide businesses that are already leads');
  expect(screen.getByRole('heading', { name: 'All of these are leads already' })).toBeVisible();
  await click('button', 'Show them');
  expect(names()).toEqual(['Shop 1']);
});

test('sample data, attributions and terms of Google are shown', async () => {
  const { unmount } = await search({
    response: aSearchResponse([aPlace(1)], { sample: true, notices: ['These are invented.', MORE_MATCH] }),
  });
  expect(screen.getByText('Sample data.').parentElement).toHaveTextContent(
    /^Sample data\. These are invented\. To find real businesses/,
  );
  expect(screen.getByText('npm run places:load -- uk-places.parquet')).toBeVisible();
  expect(screen.getByRole('link', { name: /Overture Maps/ })).toHaveAttribute(
    'href',
    'https://docs.overturemaps.org/getting-data/',
  );
  expect(screen.getByText(MORE_MATCH)).toBeVisible();
  expect(screen.queryByText(/Google's terms/)).toBeNull();
  unmount();
  await search({
    as: bob,
    response: aSearchResponse([aPlace(1)], {
      provider: 'google',
      attributions: [{ text: 'Google Maps', url: 'https://maps.google.com' }, { text: 'Listings Ltd' }],
    }),
  });
  expect(screen.queryByText('Sample data.')).toBeNull();
  expect(screen.getByRole('link', { name: 'Google Maps' })).toBeVisible();
  expect(screen.getByText(/Listings Ltd/)).toBeVisible();
  expect(screen.getByText(/Google's terms limit how its data may be stored and shown on a map/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Assign to User' })).toBeNull();
});

test('a response of an earlier server version is shown', async () => {
  const { id, placeId, name, formattedAddress } = aPlace(1);
  const plain = { businesses: [{ id, placeId, name, formattedAddress }], page: 1, pageSize: 20, totalPages: 1 };
  await search({ response: { ...plain, totalCount: 1, nextPageToken: null } as unknown as SearchResponse });
  expect(names()).toEqual(['Shop 1']);
  expect(screen.queryByText('Sample data.')).toBeNull();
});

test("a result that is nobody's lead becomes the viewer's, where the team allows it", async () => {
  const [nobodys, held] = [aPlace(1, { name: 'Crumb' }), aPlace(2, { name: 'Aire', alreadyLead: true })];
  const { server, queries, toasts, lastUndo } = await search({ response: aSearchResponse([nobodys, held]) });
  expect(screen.queryByRole('button', { name: /Make this my lead/ })).toBeNull();
  const addingLeads = { ...TEAM_SETTINGS.settings.addingLeads, allowed: true };
  server.responds(getTeamSettings, { ...TEAM_SETTINGS, settings: { ...TEAM_SETTINGS.settings, addingLeads } });
  await queries.invalidateQueries();
  expect(await screen.findAllByRole('button', { name: /Make this my lead/ })).toHaveLength(1);
  server.responds(takeLead, aLead(1), { [BATCH_HEADER]: '00000000-0000-4000-8000-0000000000b1' });
  server.responds(searchBusinesses, aSearchResponse([{ ...nobodys, alreadyLead: true }, held]));
  await click('button', 'Make this my lead: Crumb');
  await waitFor(() => expect(toasts).toContain('It is your lead now'));
  expect(server.last(takeLead)?.body).toEqual({ businessId: nobodys.id });
  await waitFor(() => expect(screen.queryByRole('button', { name: /Make this my lead/ })).toBeNull());

  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 1, left: [], creditsKept: 0 });
  server.responds(searchBusinesses, aSearchResponse([nobodys, held]));
  lastUndo()?.();
  expect(await screen.findByRole('button', { name: 'Make this my lead: Crumb' })).toBeVisible();
});
