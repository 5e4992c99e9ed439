import { useRef } from 'react';

/**
 * Leads the focus back to where it was before a dialog opened. The dialogs here are opened by state and not by a
 * trigger of their own, so Radix does not know the way. `gone` is called when there is nothing left to return to.
 */
export function useReturnFocus(gone?: () => void) {
  const cameFrom = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      cameFrom.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus();
      else gone?.();
    },
  };
}
