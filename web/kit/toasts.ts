export interface Toast {
  title: string;
  description?: string;
  /** With this the toast has the button "Undo". */
  onUndo?: (() => void) | undefined;
  tone?: 'plain' | 'destructive';
  /** How long it is shown, where that is not as usual. */
  durationMs?: number;
  /** It covers no control: it has no buttons, and clicks reach what is below it. */
  quiet?: true;
}

export interface ActiveToast extends Toast {
  id: number;
  /** In milliseconds since 1970. */
  shownAt: number;
}

const PRESSED_TWICE_MS = 300;

/** Holds the one visible toast; a new one replaces it. */
export function createToastStore() {
  let current: ActiveToast | undefined;
  let lastId = 0;
  let lastUndoAt = 0;
  const listeners = new Set<() => void>();

  const set = (next: ActiveToast | undefined) => {
    current = next;
    for (const listener of listeners) listener();
  };

  return {
    current: () => current,
    show(toast: Toast) {
      lastId += 1;
      set({ ...toast, id: lastId, shownAt: Date.now() });
    },
    dismiss(id: number) {
      if (current?.id === id) set(undefined);
    },
    /** Presses "Undo" and dismisses the toast. `false`: the current toast has no such button. */
    undo() {
      if (!current?.onUndo) return false;
      // The toast that reports the outcome has the button, too: a key pressed twice must not undo the undo.
      if (Date.now() - lastUndoAt < PRESSED_TWICE_MS) return true;
      lastUndoAt = Date.now();
      const { onUndo } = current;
      set(undefined);
      onUndo();
      return true;
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type ToastStore = ReturnType<typeof createToastStore>;

/** The toasts of the page. */
export const toasts = createToastStore();

export const toast = (content: Toast) => toasts.show(content);
