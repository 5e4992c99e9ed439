import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { listLeadOrigins, listLeadTags } from '#contract/leads/lead-lists.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { getPipeline, OPEN_STATUSES } from '#contract/reports/pipeline.calls.ts';
import { type FunnelFigures, getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { createView, deleteView, listViews } from '#contract/views/views.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, anOwnField, aUser, bob, SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
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
  before: REPORT.before.days,
  groups: [
    { key: 'Bakery', name: 'Bakery', ...STEPS, assigned: 60, won: 6, before: { ...STEPS, assigned: 50, won: 2 } },
    { key: 'Cafe', name: 'Cafe', ...STEPS, assigned: 19, won: 8, before: { ...STEPS, assigned: 7, won: 9 } },
  ],
  total: 2,
};
const SLIPPED = [
  { id: 7, name: 'Bob Cratchit', overdue: 3, quiet: 2, uncontacted: 1, loose: 0 },
  { id: 8, name: 'Cy Twist', overdue: 1, quiet: 0, uncontacted: 4, loose: 6 },
];
const NO_CONTACTS = { calls: 0, emails: 0, visits: 0, reached: 0 };
const NOV_2 = { from: '2026-11-02', to: '2026-11-02' };
const ACTIVITY: ResponseBody<typeof getActivity> = {
  ...{ days: REPORT.current.days, before: REPORT.before.days, by: 'day' },
  people: [
    {
      ...{ id: 7, name: 'Bob Cratchit', calls: 31, emails: 4, visits: 2, reached: 12 },
      before: { calls: 40, emails: 0, visits: 0, reached: 10 },
      spans: [
        { ...NOV_2, calls: 30, emails: 4, visits: 2, reached: 12 },
        { from: '2026-11-03', to: '2026-11-03', ...NO_CONTACTS, calls: 1 },
      ],
    },
    {
      ...{ id: null, name: 'Deleted accounts', ...NO_CONTACTS, calls: 1, before: NO_CONTACTS },
      spans: [{ ...NOV_2, ...NO_CONTACTS, calls: 1 }],
    },
  ],
};
const CALL_TIMES = [
  { weekday: 1, hour: 9, calls: 100, reached: 30 },
  { weekday: 2, hour: 16, calls: 29, reached: 20 },
];
const UNCOUNTED = { leads: 0, value: 0, valued: 0, oldestContact: null, averageDays: null };
const PIPELINE_ROWS = OPEN_STATUSES.map((status) => ({ status, ...UNCOUNTED }));
const MANAGER = aUser({ id: 50, username: 'mona', fullName: 'Mona Reid', role: 'manager' });
const USER = aUser({ id: 51, username: 'uma', fullName: 'Uma Price', role: 'user' });

beforeEach(() => window.history.replaceState(null, '', '/reports'));

function createServer() {
  const server = fakeServer();
  server.responds(getFunnel, REPORT);
  server.responds(getGroups, GROUPS);
  server.responds(getSettings, SETTINGS);
  server.responds(listViews, { views: [], pinned: [], defaultView: null });
  server.responds(getActivity, ACTIVITY);
  server.responds(getCallTimes, CALL_TIMES);
  server.responds(getSlipped, SLIPPED);
  server.responds(getPipeline, PIPELINE_ROWS);
  server.responds(listLeadTags, ['hot']);
  server.responds(listLeadOrigins, ['file:spring.csv', 'search', 'sweep']);
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
  expect(await screen.findByText('The figures could not be loaded')).toBeVisible();
  server.responds(getFunnel, REPORT);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('region', { name: 'Funnel' })).toBeVisible();
});

test('the comparison has the steps of each group as links, with shares only where there are enough leads', async () => {
  openReports();
  const table = within(await screen.findByRole('region', { name: 'By business type' }));
  const names = () => table.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(table.getByRole('row', { name: /^Bakery/ })).toHaveTextContent(/^Bakery6050.*610%24%1220%1224%$/);
  expect(table.getByRole('row', { name: /^Cafe/ })).toHaveTextContent('Cafetoo few to compare19760060060601818891212');
  expect(await linkTo('8, Cafe, Won: show these leads')).toEqual([
    '/crm',
    {
      ...{ types: 'Cafe', step: 'won', assignedFrom: '2026-11-01', assignedTo: '2026-11-19' },
      ...{ hideClosed: 'false', archived: 'true' },
    },
  ]);
  expect((await linkTo('9, Cafe, Won in the period before: show these leads'))[1]).toMatchObject({
    ...{ types: 'Cafe', step: 'won', assignedFrom: '2026-10-01', assignedTo: '2026-10-19' },
  });
  expect(screen.getByText(/^Small: Oct 1, 2026 to Oct 19, 2026\. Percent are of the leads assigned/)).toBeVisible();

  await userEvent.click(table.getByRole('button', { name: 'Won' }));
  expect(names()).toEqual(['Cafetoo few to compare', 'Bakery']);
  expect(table.getByRole('columnheader', { name: 'Won' })).toHaveAttribute('aria-sort', 'descending');
  expect(window.location.search).toBe('?sort=won-desc');
});

test('a week is the days of it that are in the period', async () => {
  const server = createServer();
  const { groups } = GROUPS;
  const week = { ...groups[0], key: '2026-10-26', name: '2026-10-26' };
  const before = { from: '2026-10-25', to: '2026-11-12' };
  server.responds(getGroups, { ...GROUPS, before, groups: [week as (typeof groups)[number]], total: 1 });
  window.history.replaceState(null, '', '/reports?by=week');
  show(<ReportsScreen />);
  expect((await linkTo('6, Week of Oct 26, 2026, Won: show these leads'))[1]).toMatchObject({
    ...{ assignedFrom: '2026-11-01', assignedTo: '2026-11-01' },
  });
  // The same days of the week before.
  expect((await linkTo('2, Week of Oct 26, 2026, Won in the week before: show these leads'))[1]).toMatchObject({
    ...{ assignedFrom: '2026-10-25', assignedTo: '2026-10-25' },
  });
  expect(screen.getByText(/^Small: the same days of the week before\./)).toBeVisible();
});

test('the leads without a tag are the last row, and a source is named', async () => {
  const server = createServer();
  const [group] = GROUPS.groups;
  if (!group) throw new Error('There is a group');
  const none = { ...group, key: '', name: '', won: 4 };
  server.responds(getGroups, { ...GROUPS, groups: [{ ...group, key: 'hot', name: 'hot' }, none], total: 1 });
  window.history.replaceState(null, '', '/reports?by=tag&sort=name');
  show(<ReportsScreen />);
  expect((await linkTo('4, No tag, Won: show these leads'))[1]).toMatchObject({ hasTag: 'false', step: 'won' });

  const file = { ...group, key: 'file:spring.csv', name: 'file:spring.csv' };
  server.responds(getGroups, { ...GROUPS, groups: [file, none], total: 1 });
  await userEvent.selectOptions(screen.getByLabelText('Compare by'), 'Source');
  expect((await linkTo('6, File: spring.csv, Won: show these leads'))[1]).toMatchObject({ origin: 'file:spring.csv' });
  expect((await linkTo('4, Not recorded, Won: show these leads'))[1]).toMatchObject({ origin: 'none' });
});

test('the table is by an own field, adds up one of money, and each number opens its leads', async () => {
  const server = createServer();
  const choices = [{ id: '3', label: 'Acme', retired: true }];
  const supplier = anOwnField(12, { name: 'Supplier', type: 'choice', choices });
  const fields = [
    ...[supplier, anOwnField(13, { name: 'Spent', type: 'money' }), anOwnField(14, { name: 'Way in' })],
    anOwnField(15, { name: 'Gone', type: 'yes_no', archived: true }),
  ];
  server.responds(listOwnFields, { fields });
  show(<ReportsScreen />);
  const by = await screen.findByLabelText('Compare by');
  await within(by).findByRole('option', { name: 'Supplier' });
  expect(within(by).queryByRole('option', { name: 'Way in' })).toBeNull();
  expect(within(by).queryByRole('option', { name: 'Gone' })).toBeNull();
  const [group] = GROUPS.groups;
  if (!group) throw new Error('There is a group');
  const groups = [
    { ...group, key: '3', name: 'Acme', sum: 1_234.5, before: { ...group.before, sum: 20 } },
    { ...group, key: '', name: '', sum: 0, before: { ...group.before, sum: 0 } },
  ];
  server.responds(getGroups, { ...GROUPS, groups, total: 1 });
  await userEvent.selectOptions(by, 'Supplier');
  await userEvent.selectOptions(screen.getByLabelText('Add up'), 'Spent');
  await waitFor(() => expect(window.location.search).toBe('?by=field12&sum=13'));
  const table = within(await screen.findByRole('region', { name: 'By supplier' }));
  expect(await table.findByRole('columnheader', { name: 'Spent' })).toBeVisible();
  expect(table.getByRole('row', { name: /^Acme/ })).toHaveTextContent(/£1,234\.50£20(\.00)?$/);
  expect((await linkTo('6, Acme, Won: show these leads'))[1]).toMatchObject({ own: '[[12,"is","3"]]', step: 'won' });
  expect((await linkTo('6, No value, Won: show these leads'))[1]).toMatchObject({ own: '[[12,"empty"]]' });
  await userEvent.click(table.getByRole('button', { name: 'Spent' }));
  expect(table.getByRole('columnheader', { name: 'Spent' })).toHaveAttribute('aria-sort', 'descending');
  expect(window.location.search).toBe('?by=field12&sum=13&sort=sum-desc');
});

test('what slipped is counted by person, and each number opens its leads of now', async () => {
  openReports({ as: MANAGER, search: '?type=Bakery' });
  const table = within(await screen.findByRole('region', { name: 'Slipped' }));
  expect(table.getByRole('row', { name: /^Bob Cratchit/ })).toHaveTextContent('Bob Cratchit3210');
  expect(table.getByRole('row', { name: /^All/ })).toHaveTextContent('All4256');
  expect(await linkTo('3, Bob Cratchit, Overdue: show these leads')).toEqual([
    '/crm',
    { team: 'true', user: '7', types: 'Bakery', attention: 'overdue', hideClosed: 'false' },
  ]);
  expect((await linkTo('6, All, No next step: show these leads'))[1]).toEqual({
    ...{ team: 'true', types: 'Bakery', attention: 'loose' },
  });
});

test('on paper a large team has its first people and those of all, and says so', async () => {
  const server = createServer();
  const people = Array.from({ length: 25 }, (_, nth) => ({ id: nth + 1, name: `Person ${nth + 1}` }));
  server.responds(
    getSlipped,
    people.map((person) => ({ ...person, overdue: 2, quiet: 0, uncontacted: 0, loose: 0 })),
  );
  const contacts = { ...NO_CONTACTS, calls: 3, before: NO_CONTACTS, spans: [{ ...NOV_2, ...NO_CONTACTS, calls: 3 }] };
  server.responds(getActivity, { ...ACTIVITY, people: people.map((person) => ({ ...person, ...contacts })) });
  show(<ReportsScreen />, { as: MANAGER });
  for (const name of ['Slipped', 'Activity by person and day']) {
    const table = within(await screen.findByRole('region', { name }));
    const isPrinted = (row: RegExp) => !table.getByRole('row', { name: row }).classList.contains('print:hidden');
    expect([isPrinted(/^Person 6/), isPrinted(/^Person 7/), isPrinted(/^All/)]).toEqual([true, false, true]);
  }
  expect(screen.getAllByText('The first 6 of 25; all are on the screen and in the CSV file.')).toHaveLength(2);
});

test('each part loads and fails by itself', async () => {
  const server = createServer();
  const funnel = server.holds(getFunnel);
  server.refuses(getSlipped, 'internal', 'Something went wrong');
  show(<ReportsScreen />);
  expect(await screen.findByRole('region', { name: 'By business type' })).toBeVisible();
  expect(await screen.findByText('The figures could not be loaded')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Funnel' })).toBeNull();
  funnel.respond(REPORT);
  expect(await screen.findByRole('region', { name: 'Funnel' })).toBeVisible();
});

test('the pipeline is that of now or of a past day, and its numbers open the leads of then', async () => {
  const server = createServer();
  const [first, ...others] = PIPELINE_ROWS;
  if (!first) throw new Error('There are open statuses');
  const counted = {
    ...first,
    leads: 12,
    value: 4_500,
    valued: 3,
    oldestContact: '2026-09-30T08:00:00.000Z',
    averageDays: 8.5,
  };
  server.responds(getPipeline, [counted, ...others]);
  show(<ReportsScreen />);
  const table = within(await screen.findByRole('region', { name: 'Pipeline' }));
  expect(table.getByRole('row', { name: /^New/ })).toHaveTextContent('New12£4,500Sep 30, 20268.5');
  expect(await linkTo('12, New: show these leads')).toEqual(['/crm', { status: 'new' }]);
  expect(await linkTo('12, All open: show these leads')).toEqual(['/crm', { status: OPEN_STATUSES.join(',') }]);

  await userEvent.type(screen.getByLabelText('Pipeline as of'), '2026-11-09');
  expect(await screen.findByText(/At the end of Nov 9, 2026, from the change log/)).toBeVisible();
  const then = { hideClosed: 'false', archived: 'true', existing: 'true' };
  await waitFor(async () =>
    expect(await linkTo('12, New: show these leads')).toEqual(['/crm', { ...then, statusOn: '2026-11-09:new' }]),
  );
  expect(await linkTo('12, All open: show these leads')).toEqual(['/crm', { ...then, statusOn: '2026-11-09:open' }]);
  expect(new URL(server.last(getPipeline)?.path ?? '', 'http://localhost').searchParams.get('asOf')).toBe('2026-11-09');
});

test('activity is one table of people, who open by day, with the period before', async () => {
  openReports();
  const table = within(await screen.findByRole('region', { name: 'Activity by person and day' }));
  const row = (name: RegExp) => table.getByRole('row', { name });
  // 37 and 40 contacts; the one of the deleted accounts is too few.
  expect(row(/^Bob Cratchit/)).toHaveTextContent('Bob Cratchit31404020121032%25%');
  expect(row(/^Deleted accounts/)).toHaveTextContent('Deleted accounts10000000too few–');
  expect(row(/^All/)).toHaveTextContent('All32404020121032%25%');
  expect(screen.getByText(/^Logged Nov 1, 2026 to Nov 19, 2026; small: Oct 1, 2026 to Oct 19, 2026\./)).toBeVisible();
  expect(screen.getByText('Each person opens by day.')).toBeVisible();
  expect(table.queryByRole('row', { name: /^Mon, Nov 2/ })).toBeNull();

  await userEvent.click(table.getByRole('button', { name: 'All, by day', expanded: false }));
  expect(row(/^Mon, Nov 2/)).toHaveTextContent('Mon, Nov 231421232%');
  expect(row(/^Tue, Nov 3/)).toHaveTextContent('Tue, Nov 31000');
  await userEvent.click(table.getByRole('button', { name: 'All, by day', expanded: true }));
  expect(table.queryByRole('row', { name: /^Mon, Nov 2/ })).toBeNull();
});

test('one person is open, a quarter by week', async () => {
  const server = createServer();
  const days = { from: '2026-10-01', to: '2026-11-19' };
  const week = { from: '2026-10-01', to: '2026-10-04', ...NO_CONTACTS, visits: 2 };
  const person = { id: 7, name: 'Bob Cratchit', ...NO_CONTACTS, visits: 2, before: NO_CONTACTS, spans: [week] };
  server.responds(getActivity, { ...ACTIVITY, days, by: 'week', people: [person] });
  window.history.replaceState(null, '', '/reports?period=quarter');
  show(<ReportsScreen />);
  const table = within(await screen.findByRole('region', { name: 'Activity by person and week' }));
  expect(table.queryByRole('button')).toBeNull();
  expect(table.getByRole('row', { name: /^Oct 1 to 4/ })).toHaveTextContent('Oct 1 to 40020');
  expect(screen.getByText(/opens by week, as the period is longer than a month\.$/)).toBeVisible();
  expect((await linkTo('2, Bob Cratchit, Oct 1 to 4, Visits: show these contacts'))[1]).toEqual({
    ...{ period: 'quarter', who: '7', contact: 'meeting', day: '2026-10-01', until: '2026-10-04' },
  });
});

test('the best time to call has its interval; too few calls are said to be too few', async () => {
  openReports();
  expect(await screen.findByText(/^Best so far: Monday, 09:00–10:00, where 30% \(22–40%\) of 100 calls/)).toBeVisible();
  const table = within(screen.getByRole('region', { name: 'Best time to call' }));
  expect(table.getByRole('row', { name: /^Tuesday/ })).toHaveTextContent(
    'Tuesday, 16:00–17:00too few to compare292069% (51–83%)',
  );
});

const SAVED = {
  id: '5f0c1c0e-3a7b-4b7e-9a55-0d8c8f6c2a11',
  name: 'Bakeries this quarter',
  shared: false,
  settings: { screen: 'reports', period: 'quarter', type: 'Bakery' },
  owner: { id: ada.id, fullName: ada.fullName },
};
const LIST_VIEW = {
  ...SAVED,
  id: '6f0c1c0e-3a7b-4b7e-9a55-0d8c8f6c2a11',
  name: 'Warm leads',
  settings: { tags: 'hot' },
};
const pick = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));

test('a report is saved as a view', async () => {
  const { server } = openReports({ search: '?period=year&tag=hot' });
  server.responds(createView, { ...SAVED, name: 'Hot' });
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await pick('Save as new view');
  await userEvent.type(await screen.findByLabelText('Name'), 'Hot{Enter}');
  await waitFor(() =>
    expect(server.last(createView)?.body).toEqual({
      ...{ name: 'Hot', shared: false, settings: { screen: 'reports', period: 'year', tag: 'hot' } },
    }),
  );
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('saved')).toBe(SAVED.id));
});

test('a saved report is opened, changed back and deleted; views of the list are not offered', async () => {
  const server = createServer();
  server.responds(listViews, { views: [SAVED, LIST_VIEW], pinned: [], defaultView: null });
  server.responds(deleteView, SAVED);
  show(<ReportsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  expect(screen.queryByRole('menuitem', { name: LIST_VIEW.name })).toBeNull();
  await pick(SAVED.name);
  await waitFor(() => expect(lastQuery(server)).toEqual({ period: 'quarter', types: 'Bakery' }));

  await userEvent.selectOptions(screen.getByLabelText('Assigned'), 'This week');
  await userEvent.click(screen.getByRole('button', { name: SAVED.name }));
  expect(await screen.findByRole('menuitem', { name: /^Update/ })).toBeVisible();
  await pick('Discard changes');
  await waitFor(() => expect(screen.getByLabelText('Assigned')).toHaveValue('quarter'));

  await userEvent.click(screen.getByRole('button', { name: SAVED.name }));
  await pick('Delete');
  await waitFor(() => expect(window.location.search).toBe('?period=quarter&type=Bakery'));
  expect(server.times(deleteView)).toBe(1);
});

test('a saved list of contacts is opened from the reports', async () => {
  const server = createServer();
  const settings = { screen: 'contacts', period: 'quarter', contact: 'call' };
  server.responds(listViews, { views: [{ ...SAVED, settings }], pinned: [], defaultView: null });
  show(<ReportsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await pick(SAVED.name);
  await waitFor(() => expect(window.location.pathname).toBe('/reports/contacts'));
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
    ...{ saved: SAVED.id, period: 'quarter', contact: 'call' },
  });
});

test('the numbers of the activity open the list of these contacts', async () => {
  openReports({ search: '?type=Bakery' });
  await screen.findByRole('region', { name: 'Activity by person and day' });
  const path = '/reports/contacts';
  const bakery = { type: 'Bakery' };
  expect(await linkTo('31, Bob Cratchit, Calls: show these contacts')).toEqual([
    path,
    { ...bakery, who: '7', contact: 'call' },
  ]);
  expect((await linkTo('12, Bob Cratchit, Reached: show these contacts'))[1]).toEqual({
    ...{ ...bakery, who: '7', reached: 'true' },
  });
  expect((await linkTo('1, Deleted accounts, Calls: show these contacts'))[1]).toEqual({
    ...{ ...bakery, deleted: 'true', contact: 'call' },
  });
  expect((await linkTo('32, All, Calls: show these contacts'))[1]).toEqual({ ...bakery, contact: 'call' });
  expect((await linkTo('40, Bob Cratchit, Calls in the period before: show these contacts'))[1]).toEqual({
    ...{ ...bakery, who: '7', contact: 'call', day: '2026-10-01', until: '2026-10-19' },
  });
  await userEvent.click(screen.getByRole('button', { name: 'All, by day' }));
  expect((await linkTo('4, All, Mon, Nov 2, E-mails: show these contacts'))[1]).toEqual({
    ...{ ...bakery, day: '2026-11-02', contact: 'email' },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Bob Cratchit, by day' }));
  expect((await linkTo('30, Bob Cratchit, Mon, Nov 2, Calls: show these contacts'))[1]).toEqual({
    ...{ ...bakery, who: '7', day: '2026-11-02', contact: 'call' },
  });
  // The table beside the chart has links once it is shown: a hidden link would take the focus.
  expect(screen.queryByRole('link', { name: /^20, Tuesday, 16:00/ })).toBeNull();
  await userEvent.click(screen.getByRole('switch', { name: 'Show the best time to call as table' }));
  expect((await linkTo('20, Tuesday, 16:00–17:00, Reached: show these contacts'))[1]).toEqual({
    ...{ ...bakery, callTime: '2-16', reached: 'true' },
  });
});

test('the source is a broad one, or one that leads have', async () => {
  const { server } = openReports({ search: '?origin=file%3Aspring.csv' });
  const source = await screen.findByLabelText('Source');
  await waitFor(() => expect(source).toHaveDisplayValue('File: spring.csv'));
  expect(lastQuery(server)).toEqual({ period: 'month', origin: 'file:spring.csv' });
  const names = within(source).getAllByRole('option');
  expect(names.map(({ textContent }) => textContent)).toEqual([
    ...['All sources', 'Search', 'Import', 'File: spring.csv', 'Search only', 'Sweep'],
  ]);
  await userEvent.selectOptions(source, 'Import');
  await waitFor(() => expect(lastQuery(server)).toEqual({ period: 'month', source: 'import' }));
  await userEvent.selectOptions(source, 'Sweep');
  await waitFor(() => expect(lastQuery(server)).toEqual({ period: 'month', origin: 'sweep' }));
  expect((await linkTo('5, Won: show these leads'))[1]).toMatchObject({ origin: 'sweep' });
});

test('each table has its file, also the pipeline of a past day', async () => {
  openReports({ search: '?asOf=2026-11-09' });
  for (const name of ['the funnel', 'the lost leads by outcome', 'the activity by person']) {
    expect(await screen.findByRole('button', { name: `CSV: ${name}` })).toBeVisible();
  }
  expect(screen.getByRole('button', { name: 'CSV by day: the activity by person and day' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'CSV: the best time to call' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'CSV: the pipeline' })).toBeVisible();
});
