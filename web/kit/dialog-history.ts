import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';

/**
 * Back closes the open dialog. While dialogs are open, the history has one entry more for each, at the same URL. Their
 * number in `history.state` is compared with the open dialogs after every change, so that a dialog that replaces another
 * one keeps its entry, and one that closes in another way removes it.
 */
const closers: (() => void)[] = [];
let scheduled = false;
/** Navigations that wait until the entries of dialogs are removed; undefined while none are being removed. */
let waiting: (() => void)[] | undefined;

/** Makes Back call `onClose` while the dialog is open. A dialog that stays open keeps its entry. */
export function useCloseOnBack(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    const closer = () => close();
    closers.push(closer);
    schedule();
    return () => {
      closers.splice(closers.indexOf(closer), 1);
      schedule();
    };
  }, [open]);
}

/** For the router: a navigation from a dialog first removes the dialog's entry, so that Back does not return to it. */
export const navigateFromDialog: AroundNavHandler = (navigate, to, options) => {
  // Without an entry to remove there is nothing to wait for, whatever was being removed before.
  if (countEntries() === 0) {
    waiting = undefined;
    return navigate(to, options);
  }
  const navigation = () => navigate(to, options);
  if (waiting) waiting.push(navigation);
  else removeEntries(countEntries(), [navigation]);
};

/** A reload closes dialogs and leaves their entries. */
export const removeDialogEntries = () => schedule();

const countEntries = (): number => {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'dialogs' in state ? Number(state.dialogs) || 0 : 0;
};

/** After the effects of one commit, which may close one dialog and open another. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    if (!waiting) adjustEntries();
  });
}

function adjustEntries() {
  const surplus = countEntries() - closers.length;
  if (surplus > 0) return removeEntries(surplus, []);
  for (let dialogs = countEntries() + 1; dialogs <= closers.length; dialogs += 1) {
    // Bypasses wouter's patched `history.pushState`, which would report a navigation.
    History.prototype.pushState.call(history, { ...history.state, dialogs }, '');
  }
}

function removeEntries(count: number, navigations: (() => void)[]) {
  waiting = navigations;
  history.go(-count);
}

window.addEventListener('popstate', () => {
  if (waiting) {
    const navigations = waiting;
    waiting = undefined;
    for (const navigate of navigations) navigate();
  } else {
    for (const close of closers.slice(countEntries()).reverse()) close();
  }
  schedule();
});
