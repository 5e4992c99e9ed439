import 'wouter/use-browser-location'; // dispatches pushState and replaceState events, which browsers lack
import { type Inner, type Position, positions, readPositions, writePositions } from './scroll-positions.ts';

/** A screen that is not tall enough by then has other content than before. */
const RESTORE_WITHIN_MS = 5_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls as between server-rendered pages: a new history entry starts at the top, going back or forward restores the
 * entry's position and the focus on the link, or button with `data-leads-away`, that was followed. The browser's own restoration runs before a lazy screen
 * has its content. Returns a cleanup function.
 */
export function restoreScrollPositions(): () => void {
  readPositions();
  let entry = readEntryKey() ?? markEntry(newKey());
  let { pathname } = window.location;
  let frame: number | undefined;

  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const restore = ({ y, control, inner = [] }: Position) => {
    stop();
    const deadline = performance.now() + RESTORE_WITHIN_MS;
    let scrolled = false;
    let left = inner;
    const attempt = () => {
      const late = performance.now() > deadline;
      const tallEnough = document.documentElement.scrollHeight - window.innerHeight >= y;
      left = left.filter((one) => !scrollInner(one));
      const focused = !control || focusControl(control);
      frame = late || (tallEnough && left.length === 0 && focused) ? undefined : requestAnimationFrame(attempt);
      if (scrolled || !(late || tallEnough)) return;
      scrolled = true;
      window.scrollTo(0, y);
    };
    frame = requestAnimationFrame(attempt);
  };
  const toTop = () => {
    stop();
    pathname = window.location.pathname;
    window.scrollTo(0, 0);
  };

  const savePosition = () => {
    // A page that shrinks while its content loads scrolls by itself.
    if (frame === undefined) positions.set(entry, { ...positions.get(entry), y: window.scrollY });
  };
  const saveLeft = () => {
    const y = positions.get(entry)?.y ?? window.scrollY;
    positions.set(entry, { y, control: findFollowed(), inner: readInner() });
  };

  const listeners = {
    scroll: savePosition,
    pushState: () => {
      // The event of the last scroll may follow after the navigation.
      savePosition();
      saveLeft();
      entry = markEntry(newKey());
      toTop();
    },
    replaceState: () => {
      const moved = pathname !== window.location.pathname;
      // The entry of a dialog has the key of the screen below it, which keeps its position.
      entry = markEntry(moved ? newKey() : entry);
      if (moved) toTop();
    },
    popstate: () => {
      const returned = readEntryKey();
      if (returned) savePosition();
      const moved = pathname !== window.location.pathname;
      pathname = window.location.pathname;
      // The browser creates the entry of a link to a fragment, and scrolls to it.
      entry = returned ?? markEntry(newKey());
      const { y = 0, ...left } = positions.get(returned ?? '') ?? {};
      if (returned) restore(moved ? { y, ...left } : { y });
    },
    pagehide: () => writePositions(),
  };

  history.scrollRestoration = 'manual';
  for (const [event, listener] of Object.entries(listeners)) window.addEventListener(event, listener);
  for (const event of USER_SCROLLS) window.addEventListener(event, stop, { passive: true });
  const reloaded = positions.get(entry);
  if (reloaded) restore({ y: reloaded.y });

  return () => {
    stop();
    history.scrollRestoration = 'auto';
    for (const [event, listener] of Object.entries(listeners)) window.removeEventListener(event, listener);
    for (const event of USER_SCROLLS) window.removeEventListener(event, stop);
  };
}

const readInner = () =>
  [...document.querySelectorAll<HTMLElement>('[data-scroll]')]
    .map((element): Inner => [element.dataset.scroll ?? '', element.scrollTop, element.scrollLeft])
    .filter(([, top, left]) => top > 0 || left > 0);

/** True once the element is there and large enough. */
function scrollInner([name, top, left]: Inner): boolean {
  const element = document.querySelector(`[data-scroll="${CSS.escape(name)}"]`);
  if (!element || element.scrollHeight - element.clientHeight < top) return false;
  element.scrollTo?.(left, top);
  return true;
}

function findFollowed(): string | undefined {
  const control = document.activeElement?.closest('a[href], [data-leads-away]');
  const attribute = control?.hasAttribute('href') ? 'href' : 'data-leads-away';
  return control ? `[${attribute}="${CSS.escape(control.getAttribute(attribute) ?? '')}"]` : undefined;
}

/** True once the control is focused, or the user has moved the focus: a navigation leaves it on the heading. */
function focusControl(selector: string): boolean {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.tagName !== 'H1') return true;
  const control = document.querySelector<HTMLElement>(`main ${selector}`);
  control?.focus({ preventScroll: true });
  return control !== null;
}

const newKey = () => Math.random().toString(36).slice(2);

function readEntryKey(): string | undefined {
  const state: unknown = history.state;
  const entry = typeof state === 'object' && state !== null && 'entry' in state ? state.entry : undefined;
  return typeof entry === 'string' ? entry : undefined;
}

/** Bypasses wouter's patched `history.replaceState`, which would report a navigation. */
function markEntry(entry: string): string {
  History.prototype.replaceState.call(history, { ...history.state, entry }, '');
  return entry;
}
