export interface ToastAction {
  label: string;
  onAction: () => void;
}

export interface Toast {
  title: string;
  description?: string;
  /** A button, such as "Undo". */
  action?: ToastAction;
  tone?: 'plain' | 'destructive';
}

export interface ActiveToast extends Toast {
  id: number;
  /** In milliseconds since 1970. */
  shownAt: number;
}

/** Holds the one visible toast; a new one replaces it. */
export function createToastStore() {
  let current: ActiveToast | undefined;
  let lastId = 0;
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
