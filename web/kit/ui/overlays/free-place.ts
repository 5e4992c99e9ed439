const CONTROLS = 'a[href], button, input, select, textarea, [role="tab"]';
const STEP_PX = 8;

type Box = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

/** Moves an element up or left from its place to the nearest one where it covers no control, in the lower half of the window. */
export function moveOffControls(element: HTMLElement) {
  const boxes = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !element.contains(control))
    .map((control) => control.getBoundingClientRect());
  const { up, left } = findFreePlace(element.getBoundingClientRect(), boxes, window.innerHeight / 2);
  Object.assign(element.style, { bottom: `${up}px`, right: `${left}px` });
}

/** How far up and left the box is free of the others; not at all where it is nowhere. */
export function findFreePlace(box: Box, others: Box[], topLimit: number): { up: number; left: number } {
  const isFree = (up: number, left: number) =>
    !others.some(
      (other) =>
        other.left < box.right - left &&
        other.right > box.left - left &&
        other.top < box.bottom - up &&
        other.bottom > box.top - up,
    );
  const [highest, farthest] = [box.top - topLimit, box.left];
  for (let distance = 0; distance <= highest + farthest; distance += STEP_PX) {
    for (let left = Math.max(0, distance - highest); left <= Math.min(distance, farthest); left += STEP_PX) {
      if (isFree(distance - left, left)) return { up: distance - left, left };
    }
  }
  return { up: 0, left: 0 };
}
