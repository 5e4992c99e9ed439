import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as calls from '#contract/progress/progress.calls.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aTeamItem } from '#web/testing/fixtures.ts';
import { month, week } from '#web/testing/progress.ts';
import { show } from '#web/testing/show.tsx';
import { TeamProgressScreen } from './TeamProgressScreen.tsx';

const team = [
  aTeamItem(1, 'Ada Lovelace', 80, 100),
  aTeamItem(2, 'Bob Cratchit', 45, 100),
  aTeamItem(3, 'Cleo Fairweather', 10, 100),
  aTeamItem(4, 'Dan Dare', 0, 100),
];
const days = [
  { day: 1, own: 2, team: 5 },
  { day: 2, own: 3, team: 7 },
];

const memberLeads = (
  id: number,
  fullName: string,
  open: number,
  overdue: number,
  quiet: number,
  { idle = false, longOverdue = 0, uncontacted = 0 } = {},
) => ({
  user: { id, fullName, username: `user${id}` },
  open,
  overdue,
  longOverdue,
  uncontacted,
  quiet,
  idle,
});
const attention = [
  memberLeads(1, 'Ada Lovelace', 40, 0, 0),
  memberLeads(2, 'Bob Cratchit', 1_200, 3, 0, { longOverdue: 2, uncontacted: 1_100 }),
  memberLeads(3, 'Cleo Fairweather', 9, 1, 12),
  memberLeads(4, 'Dan Dare', 34, 0, 0, { idle: true }),
];

/** A server with this team, half-way through November. */
function teamServer(members = team) {
  const server = fakeServer();
  server.responds(calls.getWeeklyContacts, week);
  server.responds(calls.getMonthlyContacts, month);
  server.responds(calls.getTeamProgress, members);
  server.responds(calls.getTeamProgressWeekly, [aTeamItem(1, 'Ada Lovelace', 12, 25)]);
  server.responds(calls.getTeamProgressLastWeek, [aTeamItem(1, 'Ada Lovelace', 30, 25)]);
  server.responds(calls.getMonthSeries, {
    monthName: 'November',
    daysInMonth: 30,
    ownTarget: 100,
    teamTarget: 400,
    days,
    joined: [],
  });
  server.responds(calls.getTeamAttention, attention);
  return server;
}

const group = (name: string) => screen.findByRole('region', { name });
const names = (region: HTMLElement) =>
  within(region)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
const figure = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

test("the viewer's progress comes first, then the team in its groups", async () => {
  teamServer();
  show(<TeamProgressScreen />);

  expect(names(await group('Top Performers'))).toEqual(['Ada Lovelace']);
  expect(names(await group('On Track'))).toEqual(['Bob Cratchit']);
  expect(names(await group('Needs Attention'))).toEqual(['Cleo Fairweather']);
  expect(names(await group('Just Started'))).toEqual(['Dan Dare']);
  expect(screen.getByRole('heading', { level: 1, name: 'Team Progress' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Your Weekly Progress' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Your Monthly Progress' })).toBeVisible();
  expect(await screen.findByRole('progressbar', { name: 'Your Weekly Progress' })).toHaveAttribute(
    'aria-valuenow',
    '40',
  );
  expect(await screen.findByRole('progressbar', { name: 'Your Monthly Progress' })).toHaveAttribute(
    'aria-valuenow',
    '55',
  );
});

test('the summary counts active members and their contacts', async () => {
  teamServer();
  show(<TeamProgressScreen />);
  expect(await screen.findByRole('heading', { name: 'Team Summary' })).toBeVisible();
  expect(figure('Active Team Members')).toBe('3');
  expect(figure('Total Contacts This Month')).toBe('135');
});

test('a member has three bars, none above 100 percent', async () => {
  teamServer();
  show(<TeamProgressScreen />);
  const bars = within(await group('Top Performers')).getAllByRole('progressbar');
  expect(
    bars.map((bar) => ['aria-label', 'aria-valuenow', 'aria-valuetext'].map((name) => bar.getAttribute(name))),
  ).toEqual([
    ['This Week', '48', '12 of 25 contacts'],
    ['Last Week', '100', '30 of 25 contacts'],
    ['This Month', '80', '80 of 100 contacts'],
  ]);
});

test('users with overdue or quiet leads come before the chart, worst first, with links to these leads', async () => {
  teamServer();
  show(<TeamProgressScreen />);
  const region = await group('Overdue, Going Quiet, No Contact');
  expect(
    within(region)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Bob Cratchit3 overdue2 overdue by more than a week1,100 never contacted after 3 days',
    'Cleo Fairweather1 overdue12 going quiet',
    'Dan Dare34 open, no contact this month',
  ]);
  expect(within(region).getByRole('link', { name: '3 overdue of Bob Cratchit' })).toHaveAttribute(
    'href',
    '/crm?team=true&user=2&attention=overdue&hideClosed=false&existing=true',
  );
  expect(within(region).getByRole('link', { name: '2 overdue by more than a week of Bob Cratchit' })).toHaveAttribute(
    'href',
    '/crm?team=true&user=2&attention=long_overdue&hideClosed=false&existing=true',
  );
  expect(
    within(region).getByRole('link', { name: '1,100 never contacted after 3 days of Bob Cratchit' }),
  ).toHaveAttribute('href', '/crm?team=true&user=2&attention=uncontacted');
  expect(within(region).getByRole('link', { name: '12 going quiet of Cleo Fairweather' })).toHaveAttribute(
    'href',
    '/crm?team=true&user=3&attention=quiet',
  );
  const chart = await screen.findByRole('heading', { name: 'November so far' });
  expect(region.compareDocumentPosition(chart) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('figures say their period and of how many', async () => {
  teamServer([aTeamItem(1, 'Ada Lovelace', 23, 60), aTeamItem(4, 'Dan Dare', 0, 100)]);
  show(<TeamProgressScreen />);
  expect(await screen.findByText('of 2, with a contact this month')).toBeVisible();
  expect(screen.getByText('38%').parentElement).toHaveTextContent('38% this month');
});

test('a team without overdue and quiet leads has no such section', async () => {
  const server = teamServer();
  server.responds(calls.getTeamAttention, [memberLeads(1, 'Ada Lovelace', 40, 0, 0)]);
  show(<TeamProgressScreen />);
  expect(await screen.findByText('40 open')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Overdue, Going Quiet, No Contact' })).toBeNull();
});

test("a member card shows the member's leads and leads to them, the viewer's own to their own list", async () => {
  teamServer();
  show(<TeamProgressScreen />);
  const bob = within(await group('On Track'));
  expect(await bob.findByText('1,200 open')).toBeVisible();
  expect(bob.getByRole('link', { name: '3 overdue of Bob Cratchit' })).toBeVisible();
  expect(bob.getByRole('link', { name: 'Open leads of Bob Cratchit' })).toHaveAttribute(
    'href',
    '/crm?team=true&user=2',
  );
  const own = within(await group('Top Performers')).getByRole('link', { name: 'Open leads of Ada Lovelace' });
  expect(own).toHaveAttribute('href', '/crm?user=1');
});

test('without the counts the cards still lead to the leads', async () => {
  const server = teamServer();
  server.refuses(calls.getTeamAttention, 'internal', 'Something went wrong');
  show(<TeamProgressScreen />);
  expect(within(await group('On Track')).getByRole('link', { name: 'Open leads of Bob Cratchit' })).toBeVisible();
  expect(screen.queryByText(/ open$/)).toBeNull();
  expect(screen.getByText('Overdue and quiet leads could not be loaded.')).toBeVisible();
  server.responds(calls.getTeamAttention, attention);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await group('Overdue, Going Quiet, No Contact')).toBeVisible();
});

test('a group without members has no heading', async () => {
  teamServer([aTeamItem(1, 'Ada Lovelace', 80, 100)]);
  show(<TeamProgressScreen />);
  await group('Top Performers');
  for (const name of ['On Track', 'Needs Attention', 'Just Started'])
    expect(screen.queryByRole('heading', { name })).toBeNull();
});

test('an empty team shows a message', async () => {
  teamServer([]);
  show(<TeamProgressScreen />);
  expect(await screen.findByRole('heading', { name: 'No Team Data Available' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Team Summary' })).toBeNull();
});

test('a placeholder is shown while the lists load', async () => {
  const server = teamServer();
  const list = server.holds(calls.getTeamProgressLastWeek);
  show(<TeamProgressScreen />);
  const loading = () =>
    screen.queryAllByRole('status').filter(({ textContent }) => textContent?.startsWith('Loading…'));
  expect(loading()).toHaveLength(1);
  list.respond([]);
  await group('Top Performers');
  expect(loading()).toEqual([]);
});

test.each([calls.getTeamProgress, calls.getTeamProgressWeekly, calls.getTeamProgressLastWeek])(
  'when $path fails, it can be retried',
  async (call) => {
    const server = teamServer();
    server.refuses(call, 'internal', 'Something went wrong');
    show(<TeamProgressScreen />);
    expect(await screen.findByRole('heading', { name: 'Error Loading Team Progress' })).toBeVisible();
    expect(screen.getByText('500: Something went wrong')).toBeVisible();

    server.responds(call, team);
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));

    await group('Top Performers');
    expect(screen.queryByRole('heading', { name: 'Error Loading Team Progress' })).toBeNull();
  },
);

test("without the viewer's data the calendar groups the team, and the cards show the failure", async () => {
  const server = teamServer([aTeamItem(1, 'Ada Lovelace', 150, 100), aTeamItem(4, 'Dan Dare', 0, 100)]);
  server.refuses(calls.getWeeklyContacts, 'internal', 'Something went wrong');
  server.refuses(calls.getMonthlyContacts, 'internal', 'Something went wrong');
  show(<TeamProgressScreen />);

  expect(names(await group('Top Performers'))).toEqual(['Ada Lovelace']);
  expect(names(await group('Just Started'))).toEqual(['Dan Dare']);
  expect(screen.getByText('Unable to load progress data')).toBeVisible();
  expect(screen.getByText('Unable to load monthly progress data')).toBeVisible();
});

test('Refresh and a status change refetch the team', async () => {
  const server = teamServer();
  show(<TeamProgressScreen />);
  await group('Top Performers');

  server.responds(calls.getTeamProgress, [aTeamItem(1, 'Ada Lovelace', 90, 100)]);
  await userEvent.click(await screen.findByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('90%')).toBeVisible();

  server.responds(calls.getTeamProgress, [aTeamItem(1, 'Ada Lovelace', 91, 100)]);
  dispatchStatusChanged();
  expect(await screen.findByText('91%')).toBeVisible();
});

test('loaded data stays when a refetch fails', async () => {
  const server = teamServer();
  show(<TeamProgressScreen />);
  await group('Top Performers');
  server.refuses(calls.getTeamProgress, 'internal', 'Something went wrong');

  await userEvent.click(await screen.findByRole('button', { name: 'Refresh' }));

  expect(await screen.findByRole('heading', { name: 'Error Loading Team Progress' })).toBeVisible();
  expect(names(await group('Top Performers'))).toEqual(['Ada Lovelace']);
});

test('five thousand members are shown in batches, and each can be found', async () => {
  teamServer(Array.from({ length: 5_000 }, (_, index) => aTeamItem(index + 1, `Member ${index + 1}`, 0, 100)));
  show(<TeamProgressScreen />);
  const region = await group('Just Started');
  expect(names(region)).toHaveLength(24);
  expect(within(region).getByText('Showing 24 of 5,000')).toBeVisible();

  await userEvent.click(within(region).getByRole('button', { name: 'Show more of Just Started' }));
  expect(names(region)).toHaveLength(72);
  expect(document.activeElement).toHaveTextContent(/^Member 25/);

  await userEvent.type(screen.getByRole('searchbox', { name: 'Find a team member' }), 'Member 4321');
  expect(names(await group('Just Started'))).toEqual(['Member 4321']);
  await userEvent.type(screen.getByRole('searchbox'), '0');
  expect(screen.getByText('No team member has that name')).toBeVisible();
  expect(window.location.search).toBe('?member=Member+43210');

  window.history.back();
  await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue(''));
});
