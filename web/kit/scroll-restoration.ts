import 'wouter/use-browser-location'; // dispatches pushState and replaceState events, which browsers lack
import { tryStorage } from './storage.ts';

const STORAGE_KEY = 'highstreet.scroll';
/** A screen that is not tall enough by then has other content than before. */
const RESTORE_WITHIN_MS = 5_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls as between server-rendered pages: a new history entry starts at the top, going back or forward restores the
 * entry's position. The browser's own restoration runs before a lazy screen has its content. Returns a cleanup function.
 */
export function restoreScrollPositions(): () => void {
  const positions = readPositions();
  let entry = readEntryKey() ?? markEntry(newKey());
  let { pathname } = window.location;
  let frame: number | undefined;

  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const restore = (y: number) => {
    stop();
    const deadline = performance.now() + RESTORE_WITHIN_MS;
    const attempt = () => {
      const late = performance.now() > deadline;
      const tallEnough = document.documentElement.scrollHeight - window.innerHeight >= y;
      frame = late || tallEnough ? undefined : requestAnimationFrame(attempt);
      if (late || tallEnough) window.scrollTo(0, y);
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
    if (frame === undefined) positions.set(entry, window.scrollY);
  };

  const listeners = {
    scroll: savePosition,
    pushState: () => {
      // The event of the last scroll may follow after the navigation.
      savePosition();
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
      pathname = window.location.pathname;
      // The browser creates the entry of a link to a fragment, and scrolls to it.
      entry = returned ?? markEntry(newKey());
      if (returned) restore(positions.get(returned) ?? 0);
    },
    pagehide: () => writePositions(positions),
  };

  history.scrollRestoration = 'manual';
  for (const [event, listener] of Object.entries(listeners)) window.addEventListener(event, listener);
  for (const event of USER_SCROLLS) window.addEventListener(event, stop, { passive: true });
  const reloaded = positions.get(entry);
  if (reloaded !== undefined) restore(reloaded);

  return () => {
    stop();
    history.scrollRestoration = 'auto';
    for (const [event, listener] of Object.entries(listeners)) window.removeEventListener(event, listener);
    for (const event of USER_SCROLLS) window.removeEventListener(event, stop);
  };
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

// Stored for a reload and for coming back from another site.
function readPositions(): Map<string, number> {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'));
  return new Map(Array.isArray(stored) ? stored.filter(isPosition) : []);
}

function writePositions(positions: Map<string, number>) {
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions])));
}

const isPosition = (pair: unknown): pair is [string, number] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number';
