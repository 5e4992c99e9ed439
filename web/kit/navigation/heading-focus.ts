let requested = false;

/** After a navigation: the heading of the next screen takes the focus, so that screen readers start reading there. */
export function requestHeadingFocus() {
  requested = true;
}

/** Focuses the element once for each request. */
export function focusIfRequested(element: HTMLElement | null) {
  if (!requested || !element) return;
  requested = false;
  element.focus({ preventScroll: true });
}
