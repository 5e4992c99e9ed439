export interface Burst {
  /** Where it starts, in pixels of the window. */
  x: number;
  y: number;
  ms: number;
}

interface Piece {
  from: Burst;
  bornMs: number;
  /** Pixels per second at the start; the air slows it down. */
  speedX: number;
  speedY: number;
  spin: number;
  size: number;
  colour: string;
}

const COLOURS = ['#c4452c', '#f0866a', '#14503f', '#5fb394', '#eccb83', '#f6f3ec'];
const PIECES_PER_BURST = 110;
const DRAG = 1.6;
const FALL = 150;
const FADE_MS = 700;

/** Throws paper over the page. It lies above everything, takes no clicks, and is gone after the longest burst. */
export function confetti(bursts: Burst[], random = Math.random): () => void {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen || bursts.length === 0) return () => {};
  const sharpness = window.devicePixelRatio || 1;
  canvas.width = window.innerWidth * sharpness;
  canvas.height = window.innerHeight * sharpness;
  canvas.className = 'pointer-events-none fixed inset-0 z-60 size-full';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);

  const pieces = bursts.flatMap((from) => Array.from({ length: PIECES_PER_BURST }, () => pieceOf(from, random)));
  let started: number | undefined;
  let frame = requestAnimationFrame(draw);
  const over = setTimeout(stop, Math.max(...bursts.map(({ ms }) => ms)));

  function draw(now: number) {
    if (!pen) return;
    started ??= now;
    pen.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    pen.clearRect(0, 0, window.innerWidth, window.innerHeight);
    for (const piece of pieces) drawPiece(pen, piece, now - started);
    frame = requestAnimationFrame(draw);
  }

  function stop() {
    clearTimeout(over);
    cancelAnimationFrame(frame);
    canvas.remove();
  }
  return stop;
}

function pieceOf(from: Burst, random: () => number): Piece {
  const angle = random() * Math.PI * 2;
  const speed = 150 + random() * 650;
  return {
    from,
    // Most at once, the rest while the burst lasts.
    bornMs: random() ** 3 * from.ms * 0.6,
    speedX: Math.cos(angle) * speed,
    speedY: Math.sin(angle) * speed * 0.6,
    spin: (random() - 0.5) * 14,
    size: 5 + random() * 6,
    colour: COLOURS[Math.floor(random() * COLOURS.length)] ?? '#c4452c',
  };
}

function drawPiece(pen: CanvasRenderingContext2D, piece: Piece, elapsedMs: number) {
  const { from, bornMs, speedX, speedY, spin, size, colour } = piece;
  const seconds = (elapsedMs - bornMs) / 1_000;
  if (seconds < 0 || elapsedMs > from.ms) return;
  const flown = (1 - Math.exp(-DRAG * seconds)) / DRAG;
  pen.save();
  pen.globalAlpha = Math.min(1, (from.ms - elapsedMs) / FADE_MS);
  pen.translate(from.x + speedX * flown, from.y + speedY * flown + FALL * (seconds - flown));
  pen.rotate(spin * seconds);
  // Turning about its own length makes paper flicker.
  pen.scale(1, Math.cos(spin * seconds * 1.3));
  pen.fillStyle = colour;
  pen.fillRect(-size / 2, -size / 4, size, size / 2);
  pen.restore();
}
