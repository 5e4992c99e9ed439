import { beforeEach, expect, test, vi } from 'vitest';
import { stubCanvas } from '#web/testing/progress.ts';
import { playConfetti } from './confetti.ts';

const canvas = () => document.querySelector('canvas');
const bursts = [
  { x: 100, y: 50, durationMs: 5_000 },
  { x: 300, y: 50, durationMs: 3_000 },
];

let clockMs = 0;
beforeEach(() => {
  vi.useFakeTimers();
  // The library stores the time of its last frame: the clock must not go back between tests.
  clockMs += 1_000_000;
  vi.advanceTimersByTime(clockMs);
});

test('the canvas lies above the page without taking clicks, and is removed after the longest burst', () => {
  const context = stubCanvas();
  playConfetti(bursts);

  expect(canvas()).toHaveAttribute('aria-hidden', 'true');
  expect(canvas()).toHaveClass('pointer-events-none', 'fixed');
  vi.advanceTimersByTime(100);
  expect(context.fill).toHaveBeenCalled();
  vi.advanceTimersByTime(4_899);
  expect(canvas()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(canvas()).toBeNull();

  context.clearRect.mockClear();
  vi.advanceTimersByTime(1_000);
  expect(context.clearRect).not.toHaveBeenCalled();
});

test('each burst has its own duration', () => {
  const context = stubCanvas();
  const stop = playConfetti(bursts);
  const particlesIn = (ms: number) => {
    context.fill.mockClear();
    vi.advanceTimersByTime(ms);
    return context.fill.mock.calls.length;
  };

  const both = particlesIn(500);
  vi.advanceTimersByTime(3_000);
  const weeklyOnly = particlesIn(500);
  expect(weeklyOnly).toBeGreaterThan(0);
  expect(weeklyOnly / both).toBeCloseTo(0.5, 1);
  stop();
});

test('it can be stopped', () => {
  stubCanvas();
  const stop = playConfetti(bursts);
  stop();
  expect(canvas()).toBeNull();
});

test('a browser without a 2d context shows nothing', () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  playConfetti(bursts)();
  expect(canvas()).toBeNull();
});
