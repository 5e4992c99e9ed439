const CONTROLS = 'a[href], button, input, select, textarea, [role="tab"]';
const STEP_PX = 4;

type Box = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

/**
 * Moves an element up or sideways from its place to the nearest one where it covers no control, in the lower half of the
 * window; again when the page is drawn further. Returns a cleanup function.
 */
export function keepOffControls(element: HTMLElement): () => void {
  moveOffControls(element);
  if (typeof ResizeObserver === 'undefined') return () => {};
  const observer = new ResizeObserver(() => moveOffControls(element));
  observer.observe(document.body);
  return () => observer.disconnect();
}

function moveOffControls(element: HTMLElement) {
  Object.assign(element.style, { bottom: '0', right: '0' });
  const boxes = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !element.contains(control))
    .map((control) => control.getBoundingClientRect());
  const within = { top: window.innerHeight / 2, right: document.documentElement.clientWidth };
  const { up, left } = findFreePlace(element.getBoundingClientRect(), boxes, within);
  Object.assign(element.style, { bottom: `${up}px`, right: `${left}px` });
}

interface Limits {
  top: number;
  right: number;
}

/** How far up and left the box is free of the others; less than 0 is to the right. Not moved where it is nowhere. */
export function findFreePlace(box: Box, others: Box[], within: Limits): { up: number; left: number } {
  const isFree = (up: number, left: number) =>
    !others.some(
      (other) =>
        other.left < box.right - left &&
        other.right > box.left - left &&
        other.top < box.bottom - up &&
        other.bottom > box.top - up,
    );
  const [highest, leftmost, rightmost] = [box.top - within.top, box.left, within.right - box.right];
  const farthest = Math.max(leftmost, rightmost);
  for (let distance = 0; distance <= highest + farthest; distance += STEP_PX) {
    for (
      let sideways = Math.max(0, distance - highest);
      sideways <= Math.min(distance, farthest);
      sideways += STEP_PX
    ) {
      const up = distance - sideways;
      if (sideways <= leftmost && isFree(up, sideways)) return { up, left: sideways };
      if (sideways <= rightmost && isFree(up, -sideways)) return { up, left: -sideways };
    }
  }
  return { up: 0, left: 0 };
}
