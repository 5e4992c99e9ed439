import { useSyncExternalStore } from 'react';

type OpenDialog =
  | { name: 'find'; text: string }
  | { name: 'shortcuts' }
  | { name: 'addBusiness'; locate: boolean }
  | undefined;

let openDialog: OpenDialog;
const listeners = new Set<() => void>();

function show(dialog: OpenDialog) {
  openDialog = dialog;
  for (const listener of listeners) listener();
}

/** Opens the palette, with a text to search for. */
export function openFind(text = '') {
  collectTyped(closeDialog);
  show({ name: 'find', text });
}
export const openShortcuts = () => show({ name: 'shortcuts' });

/** Opens the form of a new business; with `locate` it asks where the user is. */
export const openAddBusiness = ({ locate = false } = {}) => show({ name: 'addBusiness', locate });

export function closeDialog() {
  takeTyped();
  show(undefined);
}

export const useOpenDialog = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => openDialog,
  );

let typed = { text: '', entered: false };
let stop = () => {};

/** Collects what is typed from the moment the palette is opened until its field has the focus. */
function collectTyped(onEscape: () => void) {
  stop();
  typed = { text: '', entered: false };
  const collect = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onEscape();
    else if (event.key === 'Enter') typed.entered = true;
    else if (event.key === 'Backspace') typed = { text: typed.text.slice(0, -1), entered: false };
    else if (event.key.length === 1) typed = { text: typed.text + event.key, entered: false };
  };
  window.addEventListener('keydown', collect, true);
  stop = () => window.removeEventListener('keydown', collect, true);
}

/** Ends the collection; returns the text, and whether it ended with Enter. */
export function takeTyped() {
  stop();
  const taken = typed;
  typed = { text: '', entered: false };
  return taken;
}
