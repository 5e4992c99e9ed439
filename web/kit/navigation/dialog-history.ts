import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';
import { markDialog, markOrigin } from './origin.ts';
import 'wouter/use-browser-location'; // dispatches pushState and replaceState events, which browsers lack

/**
 * Back closes the open dialog. While dialogs are open, the history has one entry more for each, at the same URL, with
 * their number in `history.state`. The entry of a dialog that closes in another way stays: the next dialog or navigation
 * uses it, and Back passes over it. Removing it would be a traversal, which aborts a navigation begun at the same time.
 */
const closers: (() => void)[] = [];
let scheduled = false;
let current = readEntry();

export const hasOpenDialog = () => closers.length > 0;

/** Makes Back call `onClose` while the dialog is open. A dialog that stays open keeps its entry. */
export function useCloseOnBack(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    const closer = () => close();
    closers.push(closer);
    addEntries();
    return () => {
      closers.splice(closers.indexOf(closer), 1);
    };
  }, [open]);
}

/**
 * For the router: a navigation takes the place of a dialog's entry, so that Back returns to the screen below it. Every
 * entry knows the screen that its own was opened from.
 */
export const navigateFromScreen: AroundNavHandler = (navigate, to, options) => {
  const replace = current.dialogs > 0 || options?.replace === true;
  const state = { ...(options?.state as object | null), ...markOrigin(to, { replace, dialogs: current.dialogs }) };
  navigate(to, { ...options, replace, state });
};

function readEntry() {
  const state: unknown = history.state;
  const dialogs = typeof state === 'object' && state !== null && 'dialogs' in state ? Number(state.dialogs) || 0 : 0;
  return { dialogs, url: window.location.href };
}

function addEntries() {
  if (scheduled) return;
  scheduled = true;
  // After the effects of one commit, which may close one dialog and open another.
  queueMicrotask(() => {
    scheduled = false;
    for (let dialogs = readEntry().dialogs + 1; dialogs <= closers.length; dialogs += 1) {
      // Bypasses wouter's patched `history.pushState`, which would report a navigation.
      History.prototype.pushState.call(history, { ...history.state, ...markDialog(), dialogs }, '');
    }
    current = readEntry();
  });
}

window.addEventListener('popstate', () => {
  const left = current;
  current = readEntry();
  const back = current.dialogs < left.dialogs && current.url === left.url;
  if (back && left.dialogs > closers.length) {
    history.back();
    return;
  }
  for (const close of closers.slice(current.dialogs).reverse()) close();
  addEntries();
});
for (const event of ['pushState', 'replaceState']) {
  window.addEventListener(event, () => {
    current = readEntry();
  });
}
