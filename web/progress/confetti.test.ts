import { beforeEach, expect, test, vi } from 'vitest';
import { stubCanvas } from '#web/testing/progress.ts';
import { confetti } from './confetti.ts';

const canvas = () => document.querySelector('canvas');
const bursts = [
  { x: 100, y: 50, ms: 5_000 },
  { x: 300, y: 50, ms: 3_000 },
];

beforeEach(() => void vi.useFakeTimers());

test('it flies over the page without being in the way, and is gone after its time', () => {
  const pen = stubCanvas();
  confetti(bursts);

  expect(canvas()).toHaveAttribute('aria-hidden', 'true');
  expect(canvas()).toHaveClass('pointer-events-none', 'fixed');
  vi.advanceTimersByTime(100);
  expect(pen.fillRect).toHaveBeenCalled();
  vi.advanceTimersByTime(4_899);
  expect(canvas()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(canvas()).toBeNull();

  pen.clearRect.mockClear();
  vi.advanceTimersByTime(1_000);
  expect(pen.clearRect).not.toHaveBeenCalled();
});

test('each burst lasts its own time', () => {
  const pen = stubCanvas();
  // Everything at rest in the middle: what is drawn stays where it was thrown.
  confetti(bursts, () => 0);
  const thrownFrom = () => {
    pen.translate.mockClear();
    vi.advanceTimersByTime(20);
    return [...new Set(pen.translate.mock.calls.map(([x]) => (x < 250 ? 'weekly' : 'monthly')))];
  };

  vi.advanceTimersByTime(2_950);
  expect(thrownFrom()).toEqual(['weekly', 'monthly']);
  vi.advanceTimersByTime(60);
  expect(thrownFrom()).toEqual(['weekly']);
  vi.advanceTimersByTime(2_000);
  expect(canvas()).toBeNull();
});

test('it can be stopped before', () => {
  stubCanvas();
  const stop = confetti(bursts);
  stop();
  expect(canvas()).toBeNull();
});

test('a browser that cannot draw goes without', () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  confetti(bursts)();
  expect(canvas()).toBeNull();
});
