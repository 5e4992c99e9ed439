export interface Toast {
  title: string;
  description?: string;
  tone?: 'plain' | 'destructive';
}

export interface ShownToast extends Toast {
  id: number;
}

/** Holds the one toast that may be visible; a new one takes the place of the old. */
export function createToasts() {
  let shown: ShownToast | undefined;
  let lastId = 0;
  const listeners = new Set<() => void>();

  const put = (next: ShownToast | undefined) => {
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

export type Toasts = ReturnType<typeof createToasts>;

/** The toasts of the page. */
export const toasts = createToasts();

export const toast = (shown: Toast) => toasts.show(shown);
