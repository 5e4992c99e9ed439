import type { KeyboardEvent } from 'react';

/** For what Radix opens: it gives Escape to the layer that opened last, which may be a toast that appeared meanwhile. */
export const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.preventDefault();
  onClose();
};
