const CONTROLS = 'a[href], button, input, select, textarea, [role="tab"]';
const STEP_PX = 8;

type Box = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

/** Moves an element up from its place to the nearest one where it covers no control, in the lower half of the window. */
export function moveOffControls(element: HTMLElement) {
  const boxes = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !element.contains(control))
    .map((control) => control.getBoundingClientRect());
  element.style.marginBottom = `${findFreeOffset(element.getBoundingClientRect(), boxes, window.innerHeight / 2)}px`;
}

/** How far up the box is free of the others; 0 where it is nowhere. */
export function findFreeOffset(box: Box, others: Box[], topLimit: number): number {
  for (let offset = 0; box.top - offset >= topLimit; offset += STEP_PX) {
    const covers = ({ top, right, bottom, left }: Box) =>
      left < box.right && right > box.left && top < box.bottom - offset && bottom > box.top - offset;
    if (!others.some(covers)) return offset;
  }
  return 0;
}
