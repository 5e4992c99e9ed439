import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { listLeads, listLeadTags, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { ada, aLeadItem, aLeadPage, bob } from '#web/testing/fixtures.ts';
import { choose, DEFAULT_QUERY, lastQuery, listServer, openList, press, showList } from '#web/testing/lead-list.tsx';

test('the default filters are sent', async () => {
  const { server } = await openList();
  expect(lastQuery(server)).toEqual(DEFAULT_QUERY);
});

test('the name is searched when the user stops typing', async () => {
  const { server } = await openList();
  const before = server.times(listLeads);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), ' shop 1 ');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, q: 'shop 1' }));
  expect(server.times(listLeads)).toBe(before + 1);
});

test.each([
  ['/crm', ''],
  ['/crm?q=shop', 'shop'],
])('a reset at %s while typing discards the typed name', async (path, q) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  window.history.replaceState(null, '', path);
  const { server } = await openList();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const search = () => screen.getByRole('searchbox', { name: 'Search by name' });
  expect(search()).toHaveValue(q);
  await user.type(search(), ' one');

  await user.click(screen.getByRole('button', { name: 'Reset Filters' }));

  expect(search()).toHaveValue('');
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(search()).toHaveValue('');
  expect(lastQuery(server)).toEqual(DEFAULT_QUERY);
  expect(window.location.search).toBe('');
});

test('a name in the URL replaces one being typed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = await openList();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'one');
  act(() => window.history.pushState(null, '', '/crm?q=two'));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByRole('searchbox', { name: 'Search by name' })).toHaveValue('two');
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, q: 'two' });
});

test.each([
  ['Assigned User', 'Bob Cratchit', { user: '2' }],
  ['Lead Status', 'Recontact', { status: 'recontact' }],
  ['Lead Status', 'Qualified', { status: 'qualified' }],
  ['Lead Status', 'Closed (Won)', { status: 'closed_won', hideClosed: 'false' }],
  ['UK Town', 'York', { town: 'York' }],
  ['Sort by date', 'Oldest first', { sort: 'oldest' }],
  ['Items per page', '60', { pageSize: '60' }],
])('%s set to %s is sent as a query', async (filter, option, query) => {
  const { server } = await openList();
  await screen.findByRole('option', { name: option });
  await choose(filter, option);
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, ...query }));
});

test.each([
  ['Hide Closed Leads', { hideClosed: 'false' }],
  ['Show Archived', { archived: 'true' }],
  ['Show Existing Customers', { existing: 'true' }],
])('%s is sent as a query', async (label, query) => {
  const { server } = await openList();
  await userEvent.click(screen.getByRole('switch', { name: label }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, ...query }));
});

test('the status filter has the five main statuses, and those of the other three in use', async () => {
  await openList();
  await screen.findByRole('option', { name: 'Qualified' });
  const options = within(screen.getByRole('combobox', { name: 'Lead Status' })).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'All Statuses',
    'New',
    'In Progress',
    'Recontact',
    'Closed (Won)',
    'Closed (Lost)',
    'Qualified',
  ]);
});

test('choices that cannot be loaded say so, and can be loaded again', async () => {
  const server = listServer();
  server.refuses(listLeadTowns, 'internal', 'Something went wrong');
  server.refuses(listUsers, 'internal', 'Something went wrong');
  showList();
  expect(await screen.findByText('Some choices could not be loaded.')).toBeVisible();
  server.responds(listLeadTowns, ['York']);
  server.responds(listUsers, [ada, bob]);
  await press('Try Again');
  expect(await screen.findByRole('option', { name: 'York' })).toBeInTheDocument();
  expect(await screen.findByRole('option', { name: 'Bob Cratchit' })).toBeInTheDocument();
  expect(screen.queryByText('Some choices could not be loaded.')).toBeNull();
});

test('tags can be searched, selected and cleared', async () => {
  const { server } = await openList();
  await press(/^Custom Tags/);
  expect(await screen.findAllByRole('checkbox', { name: /florist|hot|market/ })).toHaveLength(3);

  await userEvent.type(screen.getByRole('searchbox', { name: 'Search tags' }), 'HO');
  expect(screen.queryByRole('checkbox', { name: 'market' })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'hot' }));
  await userEvent.clear(screen.getByRole('searchbox', { name: 'Search tags' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'market' }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, tags: 'hot,market' }));

  await press('Clear all');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('at most 30 tags can be selected, and the picker says so', async () => {
  const many = Array.from({ length: 31 }, (_, index) => `tag-${index}`);
  window.history.replaceState(null, '', `/crm?tags=${many.join(',')}`);
  const server = listServer();
  server.responds(listLeadTags, many);
  showList();
  await screen.findByText(/results? found/);
  expect(lastQuery(server).tags?.split(',')).toEqual(many.slice(0, 30));

  await press(/^Custom Tags/);
  expect(await screen.findByRole('checkbox', { name: 'tag-30' })).toBeDisabled();
  expect(screen.getByText('At most 30 tags can be chosen.')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'tag-0' }));
  expect(screen.queryByText('At most 30 tags can be chosen.')).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'tag-30' }));
  await waitFor(() => expect(lastQuery(server).tags?.split(',')).toEqual(many.slice(1)));
});

test("the user filter in an administrator's link is ignored for other users", async () => {
  window.history.replaceState(null, '', '/crm?user=7&town=York');
  const { server } = await openList([], { as: bob });
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, user: '2', town: 'York' });
  expect(window.location.search).toBe('?town=York');
  await press('Hide Filters');
  expect(screen.getByRole('button', { name: /^Show Filters *1 *in use$/ })).toBeVisible();

  act(() => window.history.pushState(null, '', '/crm?user=8'));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, user: '2' }));
  expect(screen.getByRole('button', { name: 'Show Filters' })).toBeVisible();
  expect(screen.getByText('Your administrator will assign businesses to you when available.')).toBeVisible();
});

test('the filters can be hidden, shown and reset', async () => {
  window.history.replaceState(null, '', '/crm?status=recontact&town=York&q=shop&sort=oldest');
  const { server } = await openList();
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, status: 'recontact', town: 'York', q: 'shop', sort: 'oldest' });

  await press('Hide Filters');
  expect(screen.queryByRole('combobox', { name: 'Lead Status' })).toBeNull();
  await press(/^Show Filters/);
  expect(screen.getByRole('combobox', { name: 'Lead Status' })).toHaveValue('recontact');

  await press('Reset Filters');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'oldest' }));
  expect(screen.getByRole('searchbox', { name: 'Search by name' })).toHaveValue('');
  expect(window.location.search).toBe('?sort=oldest');
});

test('Previous and Next change the page', async () => {
  const { server } = await openList([aLeadItem(1)], { total: 25 });
  expect(screen.getByText('25 results found')).toBeVisible();
  expect(screen.getByText('Page 1 of 3')).toBeVisible();
  await press('Next');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, page: '2' }));
  await press('Previous');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('a capped total is shown with a plus', async () => {
  const server = listServer();
  server.responds(listLeads, aLeadPage([aLeadItem(1)], 10_000, true));
  showList();
  expect(await screen.findByText('10,000+ results found')).toBeVisible();
});

test('a page beyond the last goes to the last page', async () => {
  window.history.replaceState(null, '', '/crm?page=3');
  const server = listServer();
  server.responds(listLeads, aLeadPage([], 12));
  showList();
  await waitFor(() => expect(lastQuery(server).page).toBe('2'));
});

test.each([
  [ada, 'Assign businesses to users from the search results page.'],
  [bob, 'Your administrator will assign businesses to you when available.'],
])('the empty list tells %o where leads come from', async (as, text) => {
  await openList([], { as });
  expect(screen.getByRole('heading', { name: 'No business assignments found' })).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText('0 results found')).toBeVisible();
});
