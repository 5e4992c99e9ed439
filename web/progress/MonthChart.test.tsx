import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getMonthSeries } from '#contract/progress/progress.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { MonthChart } from './MonthChart.tsx';

const response = {
  monthName: 'November',
  daysInMonth: 30,
  ownTarget: 100,
  teamTarget: 400,
  days: [
    { day: 1, own: 0, team: 7 },
    { day: 2, own: 5, team: 11 },
  ],
  joined: [],
};

const rows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

function open() {
  const server = fakeServer();
  server.responds(getMonthSeries, response);
  show(<MonthChart />);
  return screen.findByRole('heading', { name: 'November so far' });
}

test("the team's month is a chart with a text summary, and a table for screen readers", async () => {
  await open();

  expect(
    screen.getByRole('img', { name: 'Contacts in November, the whole team: 18 of 400 by day 2, 24 expected' }),
  ).toBeVisible();
  expect(screen.getByRole('table', { name: 'Contacts in November, the whole team' })).toBeInTheDocument();
  expect(rows()).toEqual([
    ['Day', 'Contacts', 'Total so far', 'Pace'],
    ['November 1', '7', '7', '12'],
    ['November 2', '11', '18', '24'],
  ]);
});

test('the axes have labels', async () => {
  await open();
  expect(screen.getByText('Contacts', { selector: 'text' })).toBeVisible();
  expect(screen.getByText('Day of November')).toBeVisible();
  expect(screen.getByText('400', { selector: 'text' })).toBeVisible();
  expect(screen.getByText('30', { selector: 'text' })).toBeVisible();
});

test('the viewer can switch to their own month', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Just me' }));

  expect(screen.getByRole('img', { name: 'Contacts in November, yours: 5 of 100 by day 2, 6 expected' })).toBeVisible();
  expect(rows().at(-1)).toEqual(['November 2', '5', '5', '6']);
});

test('shown as a table, the chart is hidden', async () => {
  await open();
  expect(screen.getByRole('table').parentElement).toHaveClass('sr-only');
  await userEvent.click(screen.getByRole('switch', { name: 'Show as table' }));

  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByRole('table').parentElement).not.toHaveClass('sr-only');
});

test('a month that cannot be loaded shows the error and can be retried', async () => {
  const server = fakeServer();
  server.refuses(getMonthSeries, 'internal', 'Something went wrong');
  show(<MonthChart />);
  expect(screen.getByText('Loading the month…')).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The picture of the month could not be loaded. 500: Something went wrong',
  );

  server.responds(getMonthSeries, response);
  await userEvent.click(screen.getByRole('button', { name: 'Load the picture again' }));

  expect(await screen.findByRole('img')).toBeVisible();
});

test('what is shown is in the URL, and restored from it', async () => {
  await open();
  const entries = window.history.length;
  await userEvent.click(screen.getByRole('button', { name: 'Just me' }));
  await userEvent.click(screen.getByRole('switch', { name: 'Show as table' }));
  expect(window.location.search).toBe('?contacts=own&table=true');
  // A new history entry would start at the top of the page.
  expect(window.history.length).toBe(entries);

  cleanup();
  await open();
  expect(screen.getByRole('button', { name: 'Just me', pressed: true })).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Show as table' })).toBeChecked();
});
