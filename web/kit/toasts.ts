export interface Toast {
  title: string;
  description?: string;
  tone?: 'plain' | 'destructive';
}

export interface ActiveToast extends Toast {
  id: number;
}

/** Holds the one toast that may be visible; a new one takes the place of the old. */
export function createToastStore() {
  let shown: ActiveToast | undefined;
  let lastId = 0;
  const listeners = new Set<() => void>();

  const put = (next: ActiveToast | undefined) => {
    shown = next;
    for (const listener of listeners) listener();
  };

  return {
    current: () => shown,
    show(toast: Toast) {
      lastId += 1;
      put({ ...toast, id: lastId });
    },
    dismiss(id: number) {
      if (shown?.id === id) put(undefined);
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

export const toast = (shown: Toast) => toasts.show(shown);
