import { create } from 'canvas-confetti';

export interface Burst {
  /** The origin, in pixels of the viewport. */
  x: number;
  y: number;
  durationMs: number;
}

const COLOURS = ['#c4452c', '#f0866a', '#14503f', '#5fb394', '#eccb83', '#f6f3ec'];
const TICKS_PER_MS = 60 / 1_000;

/** Plays all bursts on one canvas above the page, and removes it after the longest. Returns a function that stops it. */
export function playConfetti(bursts: Burst[]): () => void {
  const canvas = document.createElement('canvas');
  if (!canvas.getContext('2d') || bursts.length === 0) return () => {};
  canvas.className = 'pointer-events-none fixed inset-0 z-menu size-full';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);

  // The content security policy has no worker-src for the library's blob worker.
  const fire = create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  for (const { x, y, durationMs } of bursts) {
    void fire({
      origin: { x: x / window.innerWidth, y: y / window.innerHeight },
      particleCount: 110,
      spread: 360,
      startVelocity: 28,
      gravity: 0.6,
      ticks: durationMs * TICKS_PER_MS,
      colors: COLOURS,
    });
  }

  const stop = () => {
    clearTimeout(timer);
    fire.reset();
    canvas.remove();
  };
  const timer = setTimeout(stop, Math.max(...bursts.map(({ durationMs }) => durationMs)));
  return stop;
}
