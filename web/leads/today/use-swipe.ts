import { type PointerEvent, useRef, useState } from 'react';

/** How far a finger moves before the row follows it, and before its action is done. */
const FOLLOW_PX = 12;
export const ACTION_PX = 80;
const MAX_PX = 120;
/** At the edges, phones go back and forward. */
const EDGE_PX = 24;

interface Swipe {
  onRight: () => void;
  onLeft: () => void;
}

/**
 * A swipe of a finger to the right or to the left. Its element has `touch-action: pan-y`, so the browser itself scrolls
 * where a finger moves up or down, and takes the swipe away.
 */
export function useSwipe({ onRight, onLeft }: Swipe) {
  const start = useRef<{ x: number; y: number }>(undefined);
  const [offset, setOffset] = useState(0);
  // React renders moves later: the finger may be up before.
  const moved = useRef(0);
  const move = (to: number) => {
    moved.current = to;
    setOffset(to);
  };

  const end = () => {
    start.current = undefined;
    move(0);
  };
  const handlers = {
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
      const isInside = x > EDGE_PX && x < window.innerWidth - EDGE_PX;
      start.current = pointerType === 'touch' && isPrimary && isInside ? { x, y } : undefined;
    },
    onPointerMove: ({ isPrimary, clientX, clientY }: PointerEvent) => {
      if (!start.current || !isPrimary) return;
      const [right, down] = [clientX - start.current.x, clientY - start.current.y];
      if (moved.current === 0 && Math.abs(right) < Math.max(FOLLOW_PX, 2 * Math.abs(down))) return;
      move(Math.max(-MAX_PX, Math.min(MAX_PX, right)));
    },
    onPointerUp: () => {
      if (moved.current >= ACTION_PX) onRight();
      if (moved.current <= -ACTION_PX) onLeft();
      end();
    },
    onPointerCancel: end,
  };
  return { offset, handlers };
}
