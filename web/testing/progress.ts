import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import { fakeServer } from './fake-server.ts';
import { SETTINGS } from './fixtures.ts';

/** A Sunday, half-way through a month of thirty days: 100 % of the week, 50 % of the month. */
export const NOW = new Date('2026-11-15T12:00:00Z');

export const week = { count: 10, target: 25, weekProgress: 57 };
export const month = { count: 55, target: 100, monthName: 'November', monthProgress: 50 };

/** A server with data for both meters, on fake timers. */
export function progressServer({ now = NOW, timeZone = 'Europe/London', ticking = false } = {}) {
  // userEvent waits on timers, which then have to advance by themselves.
  vi.useFakeTimers({ now, shouldAdvanceTime: ticking });
  const server = fakeServer();
  server.responds(calls.getWeeklyContacts, week);
  server.responds(calls.getMonthlyContacts, month);
  server.responds(getSettings, { ...SETTINGS, timeZone });
  return server;
}

/** Advances the fake clock second by second, so that each response arrives before the next second. */
export async function advance(ms: number) {
  for (let left = ms; left > 0; left -= 1_000) await tick(Math.min(left, 1_000));
  await tick(0);
}

async function tick(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  // Chained promises and timers of 0 ms take a few more turns of the event loop.
  for (let turn = 0; turn < 4; turn += 1) await act(() => vi.advanceTimersByTimeAsync(1));
}

export const settle = () => advance(0);

/** Stubs the 2d context, which jsdom lacks. */
export function stubCanvas() {
  const context = {
    clearRect: vi.fn(),
    beginPath: vi.fn(),
    moveTo: vi.fn(),
    lineTo: vi.fn(),
    ellipse: vi.fn(),
    closePath: vi.fn(),
    fill: vi.fn(),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return context;
}
