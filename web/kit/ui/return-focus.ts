import { useRef } from 'react';

/**
 * Returns the focus to where it was before a dialog opened. Our dialogs are opened by state and have no Radix trigger.
 * `onTriggerRemoved` is called when that element is gone.
 */
export function useReturnFocus(onTriggerRemoved?: () => void) {
  const trigger = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      trigger.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (trigger.current instanceof HTMLElement && trigger.current.isConnected) trigger.current.focus();
      else onTriggerRemoved?.();
    },
  };
}
