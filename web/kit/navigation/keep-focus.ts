const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';
/** The focus stays inside these. */
const SCOPE = `main, body, ${DIALOG}`;

/** An element and where it was: its parents from the nearest to the scope, with the index of the child on the way. */
type Place = { parent: Element; index: number }[];

const places = new WeakMap<Element, Place>();

/**
 * The focus never falls to the page: when the focused element is removed or disabled, what takes its place gets the focus,
 * else its nearest neighbour. A screen that knows a better place focuses it in the handler. Returns a cleanup function.
 */
export function keepFocus(): () => void {
  let focused: Element | null = null;
  let path = '';
  const note = (element: Element) => {
    focused = element;
    path = window.location.pathname;
    places.set(element, findPlace(element));
  };
  const check = () => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && !activeElement.matches(':disabled'))
      return note(activeElement);
    // On another screen its heading gets the focus.
    if (focused && isGone(focused) && path === window.location.pathname) focusNear(focused);
  };
  const remember = ({ target }: FocusEvent) => target instanceof Element && note(target);
  /** The user has clicked beside every control. Some browsers report the removal of an element in the same way. */
  const forget = ({ relatedTarget, target }: FocusEvent) => {
    if (relatedTarget || !document.hasFocus()) return;
    queueMicrotask(() => {
      if (focused && focused === target && !isGone(focused)) focused = null;
    });
  };

  const observer = new MutationObserver(check);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
  };
}

const isGone = (element: Element) => !element.isConnected || element.matches(':disabled');

/** Focuses what is now where an element was that had the focus. */
export function focusNear(removed: Element) {
  const place = places.get(removed) ?? [];
  for (const { parent, index } of place) {
    const target = parent.isConnected && findAt(parent, index);
    if (target) return target.focus();
  }
  // A dialog gives the focus back to where it was opened.
  if (!place.at(-1)?.parent.matches(DIALOG)) document.querySelector('h1')?.focus();
}

function findPlace(element: Element): Place {
  const place: Place = [];
  for (let child = element, parent = element.parentElement; parent; child = parent, parent = parent.parentElement) {
    place.push({ parent, index: [...parent.children].indexOf(child) });
    if (parent.matches(SCOPE)) break;
  }
  return place;
}

/** The first control at or after the index, else the last one before it. */
function findAt(parent: Element, index: number): HTMLElement | undefined {
  const children = [...parent.children];
  const after = children.slice(index).flatMap(findControls)[0];
  return after ?? children.slice(0, index).flatMap(findControls).at(-1);
}

function findControls(element: Element): HTMLElement[] {
  const controls = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  if (element instanceof HTMLElement && element.matches(FOCUSABLE)) controls.unshift(element);
  return controls.filter((control) => !control.closest('[hidden], [inert]') && control.checkVisibility?.() !== false);
}
