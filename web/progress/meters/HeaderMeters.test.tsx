import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { toasts } from '#web/kit/toasts.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { ada } from '#web/testing/fixtures.ts';
import { advance, month, progressServer, settle, stubCanvas } from '#web/testing/progress.ts';
import { show } from '#web/testing/show.tsx';
import { HeaderMeters } from './HeaderMeters.tsx';

const KEY = 'highstreet.celebrated.1.2026-11';
const reached = { ...month, count: 100 };
const canvas = () => document.querySelector('canvas');

let titles: string[];
let reducedMotion: boolean;

beforeEach(async () => {
  titles = [];
  reducedMotion = false;
  const unsubscribe = toasts.subscribe(() => {
    const shown = toasts.current();
    if (shown) titles.push(shown.title);
  });
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: reducedMotion && query.includes('prefers-reduced-motion'),
  }));
  // Imported in advance, because fake timers do not wait for the disk.
  await import('./confetti.ts');
  stubCanvas();
  return unsubscribe;
});

test('both meters are shown once', async () => {
  progressServer();
  show(<HeaderMeters />);
  await settle();

  expect(screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-label'))).toEqual([
    'Weekly Goal',
    'Goal for the month',
  ]);
  expect(titles).toEqual([]);
  expect(Object.keys(localStorage)).toEqual([]);
});

test('each meter requests its data once, with the celebration included', async () => {
  const server = progressServer();
  show(<HeaderMeters />);
  await settle();
  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([1, 1]);
  dispatchStatusChanged();
  await settle();
  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([2, 2]);
});

describe('reaching the goal of the month', () => {
  test('shows a toast, and confetti for five seconds', async () => {
    const server = progressServer();
    show(<HeaderMeters />);
    await settle();
    server.responds(getMonthlyContacts, reached);
    dispatchStatusChanged();
    await settle();

    expect(titles).toEqual(['Monthly Target Reached!']);
    expect(localStorage.getItem(KEY)).toBe('yes');
    expect(canvas()).not.toBeNull();
    await advance(4_900);
    expect(canvas()).not.toBeNull();
    await advance(100);
    expect(canvas()).toBeNull();
  });

  test('is celebrated once, however often the page is loaded', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    const { unmount } = show(<HeaderMeters />);
    await settle();
    await advance(30_000);
    unmount();
    show(<HeaderMeters />);
    await advance(30_000);

    expect(titles).toEqual(['Monthly Target Reached!']);
  });

  test('is celebrated in one of two tabs', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    show(<HeaderMeters />);
    show(<HeaderMeters />);
    await settle();

    expect(titles).toEqual(['Monthly Target Reached!']);
  });

  test('is celebrated once for each user', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    const first = show(<HeaderMeters />);
    await settle();
    first.unmount();
    show(<HeaderMeters />, { as: { ...ada, id: 2 } });
    await settle();

    expect(titles).toHaveLength(2);
  });

  test('shows no confetti with reduced motion', async () => {
    reducedMotion = true;
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    show(<HeaderMeters />);
    await settle();

    expect(titles).toEqual(['Monthly Target Reached!']);
    expect(canvas()).toBeNull();
  });

  test('removes the confetti when the meters unmount', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    const { unmount } = show(<HeaderMeters />);
    await settle();
    expect(canvas()).not.toBeNull();
    unmount();
    expect(canvas()).toBeNull();
  });

  test('is not the goal of the week', async () => {
    const server = progressServer();
    server.responds(getWeeklyContacts, { count: 25, target: 25, weekProgress: 57 });
    show(<HeaderMeters />);
    await settle();
    expect(screen.getByText('over target')).toBeVisible();
    expect(titles).toEqual([]);
  });

  test("uses the browser's time zone where the settings cannot be loaded", async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    server.refuses(getSettings, 'internal', 'Something went wrong');
    show(<HeaderMeters />);
    await settle();
    expect(titles).toEqual(['Monthly Target Reached!']);
  });
});

describe('at the end of the month', () => {
  test.each([
    ['Europe/London', '2026-11-30T23:59:30Z'],
    ['Asia/Tokyo', '2026-11-30T14:59:30Z'],
  ])('in %s the flag of the old month is cleared within a minute', async (timeZone, now) => {
    progressServer({ now: new Date(now), timeZone });
    localStorage.setItem(KEY, 'yes');
    show(<HeaderMeters />);
    await settle();
    expect(localStorage.getItem(KEY)).toBe('yes');

    await advance(59_000);
    expect(localStorage.getItem(KEY)).toBe('yes');
    await advance(1_000);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test('a flag of a past month is cleared on load', async () => {
    progressServer({ now: new Date('2026-12-03T09:00:00Z') });
    localStorage.setItem(KEY, 'yes');
    show(<HeaderMeters />);
    await settle();
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test('last month is not celebrated again in the first seconds; the new month is when its goal is reached', async () => {
    const server = progressServer({ now: new Date('2026-11-30T23:59:58Z') });
    localStorage.setItem(KEY, 'yes');
    server.responds(getMonthlyContacts, { ...reached, monthProgress: 100 });
    show(<HeaderMeters />);
    await settle();

    // The server's clock is a minute behind: it still counts November.
    await advance(70_000);
    expect(titles).toEqual([]);
    server.responds(getMonthlyContacts, { count: 0, target: 100, monthName: 'December', monthProgress: 3 });
    await advance(5_000);
    expect(titles).toEqual([]);
    server.responds(getMonthlyContacts, { count: 100, target: 100, monthName: 'December', monthProgress: 3 });
    await advance(5_000);
    expect(titles).toEqual(['Monthly Target Reached!']);
    expect(Object.keys(localStorage)).toEqual(['highstreet.celebrated.1.2026-12']);
  });
});
