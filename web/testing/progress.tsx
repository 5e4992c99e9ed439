import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { getSettings } from '#contract/auth/auth.calls.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import { fakeServer, SETTINGS } from './fake-server.tsx';

/** Half-way through a month of thirty days, on a Sunday: 100 % of the week, 50 % of the month. */
export const NOW = new Date('2026-11-15T12:00:00Z');

export const week = { count: 10, target: 25, weekProgress: 57 };
export const month = { count: 55, target: 100, monthName: 'November', monthProgress: 50 };

/** A server with numbers for both meters, and time that stands still until it is told to pass. */
export function countingServer({ now = NOW, timeZone = 'Europe/London', ticking = false } = {}) {
  // People's hands need a clock that goes on by itself.
  vi.useFakeTimers({ now, shouldAdvanceTime: ticking });
  const server = fakeServer();
  server.responds(calls.getWeeklyContacts, week);
  server.responds(calls.getMonthlyContacts, month);
  server.responds(getSettings, { ...SETTINGS, timeZone });
  return server;
}

/** Lets time pass, and what happens in it come to its end: second by second, for an answer takes no time here. */
export async function pass(ms: number) {
  for (let left = ms; left > 0; left -= 1_000) await rounds(Math.min(left, 1_000));
  await rounds(0);
}

async function rounds(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  // What is put off to the next turn is due a millisecond later.
  for (let turn = 0; turn < 4; turn += 1) await act(() => vi.advanceTimersByTimeAsync(1));
}

export const settle = () => pass(0);

export function teamItem(id: number, fullName: string, count: number, target: number) {
  const username = `user${id}`;
  const percentage = Math.round((count / target) * 1_000) / 10;
  return { user: { id, fullName, username, email: `${username}@example.com` }, count, target, percentage };
}

/** jsdom cannot draw: this notes what would have been drawn. */
export function paperPen() {
  const pen = {
    setTransform: vi.fn(),
    clearRect: vi.fn(),
    fillRect: vi.fn(),
    save: vi.fn(),
    restore: vi.fn(),
    rotate: vi.fn(),
    scale: vi.fn(),
    translate: vi.fn<(x: number, y: number) => void>(),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  return pen;
}
