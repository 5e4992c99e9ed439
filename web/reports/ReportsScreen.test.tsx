import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listLeadTags } from '#contract/leads/lead-lists.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { type FunnelFigures, getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ReportsScreen } from './ReportsScreen.tsx';

const FIGURES: FunnelFigures = {
  ...{ assigned: 1_200, contacted: 600, reached: 60, qualified: 18, won: 5, lost: 12 },
  lostBy: [
    { outcome: 'not_interested', leads: 9 },
    { outcome: 'none', leads: 3 },
  ],
  daysTo: { contacted: 1.5, reached: 4, qualified: 6, won: null },
};
const REPORT = {
  current: { days: { from: '2026-11-01', to: '2026-11-19' }, figures: FIGURES },
  before: { days: { from: '2026-10-01', to: '2026-10-19' }, figures: { ...FIGURES, assigned: 800, won: 7 } },
};
const { lostBy, daysTo, ...STEPS } = FIGURES;
const GROUPS = {
  days: REPORT.current.days,
  groups: [
    { key: 'Bakery', name: 'Bakery', ...STEPS, assigned: 60, won: 6 },
    { key: 'Cafe', name: 'Cafe', ...STEPS, assigned: 19, won: 8 },
  ],
  total: 2,
};
const MANAGER = aUser({ id: 50, username: 'mona', fullName: 'Mona Reid', role: 'manager' });
const USER = aUser({ id: 51, username: 'uma', fullName: 'Uma Price', role: 'user' });

beforeEach(() => window.history.replaceState(null, '', '/reports'));

function createServer() {
  const server = fakeServer();
  server.responds(getFunnel, REPORT);
  server.responds(getGroups, GROUPS);
  server.responds(listLeadTags, ['hot']);
  server.responds(listUsers, [ada, bob]);
  server.responds(listUsersForReassignment, [bob]);
  server.responds(getTeamSettings, TEAM_SETTINGS);
  return server;
}

function openReports({ as = ada, search = '' } = {}) {
  window.history.replaceState(null, '', `/reports${search}`);
  return { server: createServer(), ...show(<ReportsScreen />, { as }) };
}

const lastQuery = (server: ReturnType<typeof fakeServer>) =>
  Object.fromEntries(new URL(server.last(getFunnel)?.path ?? '', 'http://localhost').searchParams);
const linkTo = async (name: string) => {
  const url = new URL((await screen.findByRole<HTMLAnchorElement>('link', { name })).href);
  return [url.pathname, Object.fromEntries(url.searchParams)];
};

test('each step has its leads, the share of the step before and the median days, now and in the period before', async () => {
  openReports();
  const table = within(await screen.findByRole('region', { name: 'Funnel' }));
  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
  expect(row('Assigned')).toHaveTextContent('Assigned1,200800––––');
  expect(row('Contacted')).toHaveTextContent('Contacted60060050%75%1.51.5');
  expect(row('Reached')).toHaveTextContent('Reached606010%10%44');
  // 18 are too few for a share of those who were won.
  expect(row('Won')).toHaveTextContent('Won57too fewtoo few––');
  expect(
    screen.getByText('Leads assigned Nov 1, 2026 to Nov 19, 2026; small: Oct 1, 2026 to Oct 19, 2026.'),
  ).toBeVisible();
});

test('each figure is a link to its leads, those of lost leads by outcome too', async () => {
  openReports({ as: MANAGER, search: '?person=7&type=Bakery&district=LS1&source=search&tag=hot' });
  const leads = {
    ...{ team: 'true', user: '7', types: 'Bakery', district: 'LS1', source: 'search', tags: 'hot' },
    ...{ hideClosed: 'false', archived: 'true' },
  };
  const november = { ...leads, assignedFrom: '2026-11-01', assignedTo: '2026-11-19' };
  expect(await linkTo('5, Won: show these leads')).toEqual(['/crm', { ...november, step: 'won' }]);
  expect(await linkTo('7, Won in the period before: show these leads')).toEqual([
    '/crm',
    { ...leads, assignedFrom: '2026-10-01', assignedTo: '2026-10-19', step: 'won' },
  ]);
  expect(await linkTo('9, Lost, Not interested: show these leads')).toEqual([
    '/crm',
    { ...november, step: 'lost', outcome: 'not_interested' },
  ]);
});

test('the filters are in the URL and in the query', async () => {
  const { server } = openReports();
  await screen.findByRole('region', { name: 'Funnel' });
  expect(lastQuery(server)).toEqual({ period: 'month' });

  await userEvent.selectOptions(await screen.findByLabelText('Person'), 'Bob Cratchit (bob)');
  await userEvent.selectOptions(screen.getByLabelText('Assigned'), 'This quarter');
  await userEvent.type(screen.getByLabelText('District or area'), 'ls1{Enter}');
  await userEvent.selectOptions(screen.getByLabelText('Tag'), 'hot');

  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
    ...{ period: 'quarter', person: String(bob.id), district: 'LS1', tag: 'hot' },
  });
  await waitFor(() =>
    expect(lastQuery(server)).toEqual({ period: 'quarter', user: String(bob.id), district: 'LS1', tags: 'hot' }),
  );
});

test('chosen days are counted once both are there, in their order', async () => {
  const { server } = openReports({ search: '?period=days&from=2026-11-05' });
  expect(screen.getByText('Choose the days')).toBeVisible();
  expect(server.last(getFunnel)).toBeUndefined();

  await userEvent.type(screen.getByLabelText('To'), '2026-11-09');
  await screen.findByRole('region', { name: 'Funnel' });
  expect(lastQuery(server)).toEqual({ period: 'days', from: '2026-11-05', to: '2026-11-09' });
});

test('a user has their own figures and no choice of a person', async () => {
  const { server } = openReports({ as: USER, search: '?person=7' });
  await screen.findByRole('region', { name: 'Funnel' });
  expect(lastQuery(server)).toEqual({ period: 'month', user: '51' });
  expect(screen.queryByLabelText('Person')).toBeNull();
  expect((await linkTo('5, Won: show these leads'))[1]).not.toHaveProperty('user');
});

test('a report that could not be loaded can be tried again', async () => {
  const server = createServer();
  server.refuses(getFunnel, 'forbidden', 'You can see your own figures only');
  show(<ReportsScreen />);
  expect(await screen.findByText('The report could not be loaded')).toBeVisible();
  server.responds(getFunnel, REPORT);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('region', { name: 'Funnel' })).toBeVisible();
});

test('the comparison has the steps of each group as links, with shares only where there are enough leads', async () => {
  openReports();
  const table = within(await screen.findByRole('region', { name: 'By business type' }));
  const names = () => table.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(table.getByRole('row', { name: /^Bakery/ })).toHaveTextContent(/^Bakery60.*610%1220%$/);
  expect(table.getByRole('row', { name: /^Cafe/ })).toHaveTextContent('Cafetoo few to compare196006018812');
  expect(await linkTo('8, Cafe, Won: show these leads')).toEqual([
    '/crm',
    {
      ...{ types: 'Cafe', step: 'won', assignedFrom: '2026-11-01', assignedTo: '2026-11-19' },
      ...{ hideClosed: 'false', archived: 'true' },
    },
  ]);

  await userEvent.click(table.getByRole('button', { name: 'Won' }));
  expect(names()).toEqual(['Cafetoo few to compare', 'Bakery']);
  expect(table.getByRole('columnheader', { name: 'Won' })).toHaveAttribute('aria-sort', 'descending');
  expect(window.location.search).toBe('?sort=won-desc');
});

test('a week is the days of it that are in the period', async () => {
  const server = createServer();
  const { groups } = GROUPS;
  const week = { ...groups[0], key: '2026-10-26', name: '2026-10-26' };
  server.responds(getGroups, { ...GROUPS, groups: [week as (typeof groups)[number]], total: 1 });
  window.history.replaceState(null, '', '/reports?by=week');
  show(<ReportsScreen />);
  expect((await linkTo('6, Week of Oct 26, 2026, Won: show these leads'))[1]).toMatchObject({
    ...{ assignedFrom: '2026-11-01', assignedTo: '2026-11-01' },
  });
});
