let arrived = false;

/** After a move to another screen: the next heading that appears takes the focus, so that reading starts there. */
export function announceArrival() {
  arrived = true;
}

/** Takes the focus if a move to this screen is still to be announced. */
export function takeFocus(element: HTMLElement | null) {
  if (!arrived || !element) return;
  arrived = false;
  element.focus({ preventScroll: true });
}
