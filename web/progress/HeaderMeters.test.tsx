import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/auth.calls.ts';
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

let said: string[];
let calm: boolean;

beforeEach(async () => {
  said = [];
  calm = false;
  const stop = toasts.subscribe(() => {
    const shown = toasts.current();
    if (shown) said.push(shown.title);
  });
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: calm && query === '(prefers-reduced-motion: reduce)' }));
  // Fetched once, so that later it comes without a wait for the disk.
  await import('./confetti.ts');
  stubCanvas();
  return stop;
});

test('both meters are there, each once', async () => {
  progressServer();
  show(<HeaderMeters />);
  await settle();

  expect(screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-label'))).toEqual([
    'Weekly Goal',
    'Goal for the month',
  ]);
  expect(said).toEqual([]);
  expect(Object.keys(localStorage)).toEqual([]);
});

test('with one question to the server each, the celebration included', async () => {
  const server = progressServer();
  show(<HeaderMeters />);
  await settle();
  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([1, 1]);
  dispatchStatusChanged();
  await settle();
  expect([server.times(getWeeklyContacts), server.times(getMonthlyContacts)]).toEqual([2, 2]);
});

describe('reaching the goal of the month', () => {
  test('is celebrated with a toast and with paper that is gone after five seconds', async () => {
    const server = progressServer();
    show(<HeaderMeters />);
    await settle();
    server.responds(getMonthlyContacts, reached);
    dispatchStatusChanged();
    await settle();

    expect(said).toEqual(['Monthly Target Reached!']);
    expect(localStorage.getItem(KEY)).toBe('yes');
    expect(canvas()).not.toBeNull();
    await advance(4_900);
    expect(canvas()).not.toBeNull();
    await advance(100);
    expect(canvas()).toBeNull();
  });

  test('is celebrated once, however often it is looked at', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    const { unmount } = show(<HeaderMeters />);
    await settle();
    await advance(30_000);
    unmount();
    show(<HeaderMeters />);
    await advance(30_000);

    expect(said).toEqual(['Monthly Target Reached!']);
  });

  test('is celebrated in one of two tabs', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    show(<HeaderMeters />);
    show(<HeaderMeters />);
    await settle();

    expect(said).toEqual(['Monthly Target Reached!']);
  });

  test('is celebrated by each who reaches it', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    const first = show(<HeaderMeters />);
    await settle();
    first.unmount();
    show(<HeaderMeters />, { as: { ...ada, id: 2 } });
    await settle();

    expect(said).toHaveLength(2);
  });

  test('stays calm for people who want no motion', async () => {
    calm = true;
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    show(<HeaderMeters />);
    await settle();

    expect(said).toEqual(['Monthly Target Reached!']);
    expect(canvas()).toBeNull();
  });

  test('takes the paper away with the meters', async () => {
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
    expect(said).toEqual([]);
  });

  test('is judged by the browser where the settings cannot be had', async () => {
    const server = progressServer();
    server.responds(getMonthlyContacts, reached);
    server.refuses(getSettings, 'internal', 'Something went wrong');
    show(<HeaderMeters />);
    await settle();
    expect(said).toEqual(['Monthly Target Reached!']);
  });
});

describe('the turn of the month', () => {
  test.each([
    ['Europe/London', '2026-11-30T23:59:30Z'],
    ['Asia/Tokyo', '2026-11-30T14:59:30Z'],
  ])('in %s: the flag of the old one is cleared within a minute', async (timeZone, now) => {
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

  test('a flag that was left while nobody looked is cleared on arrival', async () => {
    progressServer({ now: new Date('2026-12-03T09:00:00Z') });
    localStorage.setItem(KEY, 'yes');
    show(<HeaderMeters />);
    await settle();
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test('last month is not celebrated again in the first seconds, and the new one is when it is reached', async () => {
    const server = progressServer({ now: new Date('2026-11-30T23:59:58Z') });
    localStorage.setItem(KEY, 'yes');
    server.responds(getMonthlyContacts, { ...reached, monthProgress: 100 });
    show(<HeaderMeters />);
    await settle();

    // The server's clock is a minute behind: it goes on counting November.
    await advance(70_000);
    expect(said).toEqual([]);
    server.responds(getMonthlyContacts, { count: 0, target: 100, monthName: 'December', monthProgress: 3 });
    await advance(5_000);
    expect(said).toEqual([]);
    server.responds(getMonthlyContacts, { count: 100, target: 100, monthName: 'December', monthProgress: 3 });
    await advance(5_000);
    expect(said).toEqual(['Monthly Target Reached!']);
    expect(Object.keys(localStorage)).toEqual(['highstreet.celebrated.1.2026-12']);
  });
});
