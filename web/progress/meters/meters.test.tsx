import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { WHAT_COUNTS } from '#web/progress/pace-text.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { advance, month, progressServer, settle, week } from '#web/testing/progress.ts';
import { show } from '#web/testing/show.tsx';
import { MonthlyMeter } from './MonthlyMeter.tsx';
import { WeeklyMeter } from './WeeklyMeter.tsx';

const bar = (name: string) => screen.getByRole('progressbar', { name });

test('the weekly meter shows count, pace and bar', async () => {
  progressServer();
  show(<WeeklyMeter compact />);

  await settle();
  expect(screen.getByRole('group', { name: 'Weekly Goal' })).toHaveTextContent('Weekly Goal');
  expect(screen.getByText('behind pace').parentElement).toHaveTextContent('5 behind pace');
  expect(bar('Weekly Goal')).toHaveAttribute('aria-valuenow', '40');
  expect(bar('Weekly Goal')).toHaveAttribute('aria-valuetext', '10 of 25 contacts this week, 5 behind pace');
});

test.each([
  [{ count: 15, target: 25, weekProgress: 57 }, 'ahead of pace', '60'],
  [{ count: 14, target: 25, weekProgress: 57 }, 'behind pace', '56'],
  [{ count: 25, target: 25, weekProgress: 57 }, 'over target', '100'],
  [{ count: 60, target: 25, weekProgress: 57 }, 'over target', '100'],
])('a week of %j is "%s" with the bar at %s', async (contacts, text, percent) => {
  const server = progressServer();
  server.responds(getWeeklyContacts, contacts);
  show(<WeeklyMeter />);

  await settle();
  expect(screen.getByText(text)).toBeVisible();
  expect(bar('Weekly Goal')).toHaveAttribute('aria-valuenow', percent);
});

test.each([
  [{ ...month, count: 55 }, '45 more to go', '55', 'in November, 45 more to go, ahead of pace'],
  [{ ...month, count: 49 }, '51 more to go', '49', 'in November, 51 more to go, behind pace'],
  [{ ...month, count: 999, target: 1000 }, '1 more to go', '99', 'in November, 1 more to go, ahead of pace'],
  [{ ...month, count: 100 }, '0 over target', '100', 'in November, 0 over target, target reached'],
  [{ ...month, count: 104 }, '4 over target', '100', 'in November, 4 over target, target reached'],
])('a month of %j is "%s" with the bar at %s', async (contacts, text, percent, valueText) => {
  const server = progressServer();
  server.responds(getMonthlyContacts, contacts);
  show(<MonthlyMeter compact />);

  await settle();
  expect(screen.getByText(text)).toBeVisible();
  expect(bar('Goal for the month')).toHaveAttribute('aria-valuenow', percent);
  expect(bar('Goal for the month').getAttribute('aria-valuetext')).toContain(valueText);
});

test('the full meters add the expected count', async () => {
  progressServer();
  show(
    <>
      <WeeklyMeter />
      <MonthlyMeter />
    </>,
  );

  await settle();
  expect(screen.getByText('15 expected by today')).toBeVisible();
  expect(screen.getByText('50 expected by today, ahead of pace')).toBeVisible();
  expect(screen.getByText(/of 100 contacts in November/)).toBeVisible();
});

test('a new account is not behind pace before its first full day is over', async () => {
  const contacts = { ...week, count: 0 };
  const server = progressServer();
  server.responds(getWeeklyContacts, contacts);
  server.responds(getMonthlyContacts, { ...month, count: 0 });
  server.responds(getSettings, { ...SETTINGS, userSince: '2026-11-14T09:00:00.000Z' });
  show(
    <>
      <LoadSettings />
      <WeeklyMeter />
      <MonthlyMeter />
    </>,
  );

  await settle();
  expect(screen.getByText('ahead of pace')).toBeVisible();
  expect(screen.getByText('0 expected by today')).toBeVisible();
  expect(screen.getByText('0 expected by today, ahead of pace')).toBeVisible();
});

function LoadSettings() {
  useSettings();
  return null;
}

test('a placeholder pulses until the data is loaded', async () => {
  const server = progressServer();
  const held = server.holds(getWeeklyContacts);
  show(<WeeklyMeter compact />);

  expect(screen.getByText('Loading…').parentElement).toHaveClass('animate-pulse');
  expect(screen.queryByRole('progressbar')).toBeNull();
  held.respond(week);
  await settle();
  expect(screen.getByRole('progressbar')).toBeVisible();
  expect(screen.queryByText(/Loading/)).toBeNull();
});

test.each([
  ['Unable to load progress data', getWeeklyContacts, <WeeklyMeter key="week" compact />],
  ['Unable to load monthly progress data', getMonthlyContacts, <MonthlyMeter key="month" />],
])('"%s" is shown after a failure, until a poll succeeds', async (text, call, meter) => {
  const server = progressServer();
  server.refuses(call, 'internal', 'Something went wrong');
  show(meter);
  await settle();
  expect(screen.getByText(text)).toBeVisible();

  const next = server.holds(call);
  await advance(5_000);
  expect(screen.getByText(text)).toBeVisible();
  next.respond(call === getWeeklyContacts ? week : month);

  await settle();
  expect(screen.getByRole('progressbar')).toBeVisible();
  expect(screen.queryByText(text)).toBeNull();
});

test('an unavailable server counts as a failure while it is retried', async () => {
  const server = progressServer();
  server.refuses(getWeeklyContacts, 'database_unavailable', 'The database is not available');
  show(<WeeklyMeter compact />);
  await settle();
  expect(screen.getByText('Unable to load progress data')).toBeVisible();
});

test('the last data is shown for three failed polls, not longer', async () => {
  const server = progressServer();
  show(<WeeklyMeter compact />);
  await settle();
  expect(screen.getByRole('progressbar')).toBeVisible();
  server.vanishes(getWeeklyContacts);

  await advance(16_000);
  expect(server.times(getWeeklyContacts)).toBe(4);
  expect(bar('Weekly Goal')).toBeVisible();
  await advance(5_000);
  expect(screen.getByText('Unable to load progress data')).toBeVisible();
});

test('both meters poll every five seconds', async () => {
  const server = progressServer();
  show(
    <>
      <WeeklyMeter compact />
      <MonthlyMeter compact />
    </>,
  );
  await settle();
  expect(screen.getAllByRole('progressbar')).toHaveLength(2);
  const before = [server.times(getWeeklyContacts), server.times(getMonthlyContacts)];
  expect(before).toEqual([1, 1]);
  server.responds(getWeeklyContacts, { ...week, count: 11 });

  await advance(4_900);
  expect(server.times(getWeeklyContacts)).toBe(1);
  await advance(200);
  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([2, 2]);
  expect(bar('Weekly Goal')).toHaveAttribute('aria-valuenow', '44');
  await advance(5_000);
  expect(server.times(getWeeklyContacts)).toBe(3);
});

test('a hidden page does not poll', async () => {
  const server = progressServer();
  show(<WeeklyMeter compact />);
  await settle();
  expect(screen.getByRole('progressbar')).toBeVisible();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  window.dispatchEvent(new Event('visibilitychange'));

  await advance(20_000);

  expect(server.times(getWeeklyContacts)).toBe(1);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  window.dispatchEvent(new Event('visibilitychange'));
});

test('a status change refetches once, however many meters there are', async () => {
  const server = progressServer();
  show(
    <>
      <WeeklyMeter compact />
      <WeeklyMeter label="Your Weekly Progress" />
      <MonthlyMeter compact />
      <MonthlyMeter label="Your Monthly Progress" />
    </>,
  );
  await settle();
  expect(screen.getAllByRole('progressbar')).toHaveLength(4);
  server.responds(getWeeklyContacts, { ...week, count: 12 });

  dispatchStatusChanged();
  await settle();

  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([2, 2]);
  expect(bar('Weekly Goal')).toHaveAttribute('aria-valuenow', '48');
  expect(bar('Your Weekly Progress')).toHaveAttribute('aria-valuenow', '48');
});

test('unmounted meters no longer listen', async () => {
  const server = progressServer();
  const { unmount } = show(<WeeklyMeter compact />);
  await settle();
  expect(screen.getByRole('progressbar')).toBeVisible();
  unmount();

  dispatchStatusChanged();
  await settle();

  expect(server.times(getWeeklyContacts)).toBe(1);
});

test('a meter with count and target requests nothing', async () => {
  const server = progressServer();
  show(
    <>
      <WeeklyMeter count={24} target={25} />
      <MonthlyMeter count={49} target={100} compact />
    </>,
  );

  // It is Sunday, with 100 % of the week elapsed, and the 15th of 30 days.
  expect(screen.getByText('behind pace')).toBeVisible();
  expect(bar('Goal for the month').getAttribute('aria-valuetext')).toBe(
    '49 of 100 contacts in November, 51 more to go, behind pace',
  );
  dispatchStatusChanged();
  await advance(20_000);
  expect(server.requests).toEqual([]);
});

test.each(['hover', 'keyboard', 'tap'])('by %s the meter explains what counts', async (way) => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  progressServer({ ticking: true });
  show(<WeeklyMeter compact />);
  await screen.findByRole('progressbar');
  expect(screen.queryByText(WHAT_COUNTS)).toBeNull();

  if (way === 'hover') await user.hover(bar('Weekly Goal'));
  if (way === 'keyboard') await user.tab();
  if (way === 'tap')
    await user.pointer({
      keys: '[TouchA]',
      target: screen.getByRole('button', { name: 'What counts toward: Weekly Goal' }),
    });
  await advance(700);

  expect(await screen.findByRole('tooltip')).toHaveTextContent(WHAT_COUNTS);
  expect(screen.getByRole('group', { name: 'Weekly Goal' })).toHaveAccessibleDescription(WHAT_COUNTS);
});
