import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { type DistrictCoverage, getCoverage, refreshCoverage } from '#contract/coverage/coverage.calls.ts';
import { listDistricts } from '#contract/districts/districts.calls.ts';
import { listUnassigned, takeLead } from '#contract/leads/adding/adding.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aLead, aUser, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { CoverageScreen } from './CoverageScreen.tsx';

const region = 'Yorkshire and the Humber';
const DISTRICTS = [
  { code: 'LS1', latitude: 53.7968, longitude: -1.5481, town: 'Leeds', region },
  { code: 'LS10', latitude: 53.7661, longitude: -1.5309, town: 'Leeds', region },
  { code: 'LS2', latitude: 53.8017, longitude: -1.5471, town: 'Leeds', region },
  { code: 'YO1', latitude: 53.9576, longitude: -1.0827, town: 'York', region },
];
const NONE = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0 };
const LEEDS: DistrictCoverage = {
  ...{ district: 'LS1', known: 1_200, leads: 40, contacted: 10, won: 3, customers: 2 },
  searchedAt: '2026-11-03T09:00:00.000Z',
};
const COVERAGE = {
  districts: [LEEDS, { ...LEEDS, district: 'LS2', known: 8, leads: 10, searchedAt: null }],
  elsewhere: NONE,
  refreshedAt: '2026-11-17T09:42:00.000Z',
  refreshing: null,
};

beforeEach(() => {
  window.history.replaceState(null, '', '/coverage');
  // jsdom draws nothing: every method of the canvas does nothing.
  const context = new Proxy({}, { get: () => () => {}, set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
});

function createServer() {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listDistricts, DISTRICTS);
  server.responds(listUsers, [ada, bob]);
  server.responds(listUsersForReassignment, []);
  server.responds(listUnassigned, {
    businesses: [{ id: 7, name: 'Crumb', formattedAddress: 'Leeds LS1 4DY', type: 'Bakery' }],
    hasMore: false,
  });
  return server;
}

function openCoverage(given: Partial<typeof COVERAGE> = {}, as = ada) {
  const server = createServer();
  server.responds(getCoverage, { ...COVERAGE, ...given });
  return { server, ...show(<CoverageScreen />, { as }) };
}

const rowOf = async (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const lastQuery = (server: ReturnType<typeof fakeServer>) =>
  Object.fromEntries(new URL(server.last(getCoverage)?.path ?? '', 'http://localhost').searchParams);

test('areas have the sums of their districts, and open to them in the order of their numbers', async () => {
  openCoverage();
  expect(await rowOf('LS Leeds')).toHaveTextContent('LS Leeds1,2085020 (40%)3064Nov 3, 2026');
  expect(screen.queryByRole('row', { name: /^LS1 / })).toBeNull();

  const entries = window.history.length;
  await press('LS Leeds');

  expect(screen.getByRole('button', { name: 'LS Leeds' })).toHaveAttribute('aria-expanded', 'true');
  const names = screen.getAllByRole('row').map((row) => within(row).queryByRole('button')?.textContent);
  expect(names.filter((name) => name)).toEqual(['LS Leeds', 'LS1 Leeds', 'LS2 Leeds', 'LS10 Leeds', 'YO York']);
  expect(await rowOf('LS10 Leeds')).toHaveTextContent('LS10 Leeds000000–');
  expect(currentUrl()).toBe('/coverage?area=LS');
  // A new history entry would start at the top of the page.
  expect(window.history.length).toBe(entries);
});

test('a district opens a panel with its figures, its leads and a search; closing returns the focus', async () => {
  openCoverage();
  await press('LS Leeds');
  await press('LS1 Leeds');

  const panel = within(screen.getByRole('region', { name: 'LS1 Leeds' }));
  expect(panel.getByRole('heading', { name: 'LS1 Leeds' })).toHaveFocus();
  expect(panel.getByText('10 (25%)')).toBeVisible();
  expect(panel.getByText('Never contacted').nextSibling).toHaveTextContent('30');
  const leads = panel.getByRole('link', { name: 'Leads in LS1' });
  expect(leads).toHaveAttribute('href', '/crm?district=LS1&hideClosed=false&existing=true');
  expect(panel.getByRole('link', { name: 'Search in LS1' })).toHaveAttribute('href', '/search?location=LS1');
  const unassigned = within(await panel.findByRole('list', { name: 'Not assigned yet' }));
  expect(unassigned.getByRole('listitem')).toHaveTextContent('CrumbBakery · Leeds LS1 4DY');
  expect(panel.getByText('A search may find more.')).toBeVisible();
  expect(currentUrl()).toBe('/coverage?area=LS&district=LS1');

  await userEvent.click(panel.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('region', { name: 'LS1 Leeds' })).toBeNull();
  expect(screen.getByRole('button', { name: 'LS1 Leeds' })).toHaveFocus();
});

test('a business of the district that is not assigned becomes a lead of the viewer', async () => {
  const { server, toasts } = openCoverage();
  await press('LS Leeds');
  await press('LS1 Leeds');
  const take = await screen.findByRole('button', { name: 'Make this my lead: Crumb' });
  server.responds(takeLead, aLead(1));
  server.responds(listUnassigned, { businesses: [], hasMore: false });
  await userEvent.click(take);
  await waitFor(() => expect(toasts).toContain('It is your lead now'));
  expect(server.last(takeLead)?.body).toEqual({ businessId: 7 });
  expect(await screen.findByText('All that searches have found here so far is assigned.')).toBeVisible();
});

test('users add nothing on Coverage as long as the setting is off', async () => {
  const { server } = openCoverage({}, bob);
  await press('LS Leeds');
  await press('LS1 Leeds');
  expect(screen.getByRole('region', { name: 'LS1 Leeds' })).toBeVisible();
  expect(screen.queryByText('Not assigned yet')).toBeNull();
  expect(server.times(listUnassigned)).toBe(0);
});

test('a type and a person are sent, in the URL and in the links', async () => {
  const { server } = openCoverage();
  await rowOf('LS Leeds');
  await userEvent.selectOptions(screen.getByLabelText('Business type'), 'Bakery');
  await screen.findByRole('option', { name: 'Bob Cratchit (bob)' });
  await userEvent.selectOptions(screen.getByLabelText('Person'), 'Bob Cratchit (bob)');
  await waitFor(() => expect(lastQuery(server)).toEqual({ type: 'Bakery', userId: String(bob.id) }));
  expect(currentUrl()).toBe(`/coverage?type=Bakery&person=${bob.id}`);

  await press('LS Leeds');
  await press('LS1 Leeds');
  const leads = screen.getByRole('link', { name: 'Leads in LS1: Bakery' });
  expect(leads).toHaveAttribute('href', `/crm?district=LS1&types=Bakery&hideClosed=false&existing=true&user=${bob.id}`);
  const search = screen.getByRole('link', { name: 'Search Bakery in LS1' });
  expect(search).toHaveAttribute('href', '/search?type=Bakery&location=LS1&hideLeads=true');
});

test('a link restores everything, and invalid parts of it are left out', async () => {
  window.history.replaceState(null, '', '/coverage?metric=never&area=LS&district=LS2&person=x&type=Dragons');
  const { server } = openCoverage();
  expect(await screen.findByRole('region', { name: 'LS2 Leeds' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'LS2 Leeds' })).not.toHaveFocus();
  expect(screen.getByLabelText('Show')).toHaveValue('never');
  expect(lastQuery(server)).toEqual({});
});

test('the legend has the numbers of the colours', async () => {
  openCoverage();
  const legend = await screen.findByRole('list', { name: 'Colours: Share contacted' });
  expect(legend).toHaveTextContent('0–20%20–40%40–60%60–80%80–100%no leads');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Businesses known');
  expect(screen.getByRole('list', { name: 'Colours: Businesses known' })).toHaveTextContent('8–1,1991,200 or morenone');
  expect(screen.getByText('Approximate: cells around the centres of postcode districts.')).toBeVisible();
});

test('the arrow keys move over the map, which reads the figures out, and Enter selects a district', async () => {
  window.history.replaceState(null, '', '/coverage?area=LS');
  openCoverage();
  const map = await screen.findByRole('application', { name: /^Map of share contacted/ });
  map.focus();
  await userEvent.keyboard('{ArrowDown}');
  const reached = () => screen.getAllByText(/^(LS|YO)\d+ .*: Share contacted/)[0]?.textContent;
  expect(reached()).toMatch(/^LS/);
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(reached()).toBe('LS2 Leeds: Share contacted 100%, Leads 10, never searched');
  await userEvent.keyboard('{ArrowDown}');
  expect(reached()).toBe('LS1 Leeds: Share contacted 25%, Leads 40, searched Nov 3, 2026');
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('region', { name: 'LS1 Leeds' })).toBeVisible();
});

test('the leads are read out once where the map shows them', async () => {
  window.history.replaceState(null, '', '/coverage?metric=leads&area=LS&district=LS1');
  openCoverage();
  const map = await screen.findByRole('application', { name: /^Map of leads/ });
  map.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getAllByText('LS1 Leeds: Leads 40, searched Nov 3, 2026')[0]).toBeInTheDocument();
});

test('phones show the column of the figure on the map, contacted leads included', async () => {
  openCoverage();
  await rowOf('LS Leeds');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Contacted');
  expect(screen.getByRole('columnheader', { name: 'Contacted' })).not.toHaveClass('max-sm:hidden');
  expect(screen.getByRole('columnheader', { name: 'Won' })).toHaveClass('max-sm:hidden');
  expect(screen.getByRole('list', { name: 'Colours: Contacted' })).toHaveTextContent('10 or more');
});

test('users that cannot be loaded can be loaded again', async () => {
  const server = createServer();
  server.responds(getCoverage, COVERAGE);
  server.refuses(listUsers, 'internal', 'Something went wrong');
  show(<CoverageScreen />);
  expect(await screen.findByText('Users could not be loaded')).toBeVisible();
  server.responds(listUsers, [ada, bob]);
  await press('Try Again');
  expect(await screen.findByRole('option', { name: 'Bob Cratchit (bob)' })).toBeInTheDocument();
});

test('users see themselves, without a choice of person and without the links of admins', async () => {
  const { server } = openCoverage({}, bob);
  await rowOf('LS Leeds');
  expect(lastQuery(server)).toEqual({ userId: String(bob.id) });
  expect(screen.queryByLabelText('Person')).toBeNull();
  for (const name of ['Sweeps', 'Territories']) expect(screen.queryByRole('link', { name })).toBeNull();
});

test("a manager's link leads to the list of the team", async () => {
  window.history.replaceState(null, '', '/coverage?district=LS1');
  openCoverage({}, aUser({ username: 'mona', role: 'manager' }));
  const leads = await screen.findByRole('link', { name: 'Leads in LS1' });
  expect(leads).toHaveAttribute('href', '/crm?district=LS1&hideClosed=false&existing=true&team=true');
});

test('the time of the figures is shown, and Refresh counts them again', async () => {
  const { server } = openCoverage();
  expect(await screen.findByText(/^Figures of .*09:42$/)).toBeVisible();
  for (const name of ['Sweeps', 'Territories']) expect(screen.getByRole('link', { name })).toBeVisible();
  server.responds(refreshCoverage, { message: 'The figures are being counted' });
  server.responds(getCoverage, { ...COVERAGE, refreshing: { done: 3, total: 17 } });
  await press('Refresh');
  expect(await screen.findByRole('progressbar', { name: 'Counting the figures' })).toHaveAttribute(
    'aria-valuetext',
    '3 of 17 done',
  );
});

test.each([
  ['manager', true],
  ['user', false],
] as const)('a %s can start a recount: %s', async (role, can) => {
  openCoverage({}, aUser({ username: 'mona', role }));
  expect(await rowOf('LS Leeds')).toBeVisible();
  expect(screen.queryAllByRole('button', { name: 'Refresh' })).toHaveLength(can ? 1 : 0);
});

test('leads and businesses without a known postcode have a row of their own', async () => {
  openCoverage({ elsewhere: { ...NONE, leads: 7, contacted: 7 } });
  expect(await rowOf('No known postcode')).toHaveTextContent('No known postcode077 (100%)000');
});

test('nothing known is an empty state', async () => {
  openCoverage({ districts: [] });
  expect(await screen.findByRole('heading', { name: 'Nothing is known of any district yet' })).toBeVisible();
});

test('a failure can be retried', async () => {
  const server = createServer();
  server.refuses(getCoverage, 'internal', 'Something went wrong');
  show(<CoverageScreen />);
  expect(await screen.findByText('Coverage could not be loaded')).toBeVisible();
  server.responds(getCoverage, COVERAGE);
  await press('Try Again');
  expect(await rowOf('LS Leeds')).toBeVisible();
});

test('before the first count is complete, its progress is shown', async () => {
  const server = createServer();
  server.responds(getCoverage, { ...COVERAGE, districts: [], refreshedAt: null, refreshing: { done: 1, total: 17 } });
  show(<CoverageScreen />);
  expect(await screen.findByRole('progressbar', { name: 'Counting the figures' })).toBeVisible();
  expect(screen.queryByText('Nothing is known of any district yet')).toBeNull();
});
