import { useRef } from 'react';
import { focusNear } from '#web/kit/navigation/keep-focus.ts';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** What opened the first of the dialogs that are open: one may replace another, with the button that opened it. */
let firstTrigger: Element | null = null;

/**
 * Returns the focus to where it was before a dialog opened. Our dialogs are opened by state and have no Radix trigger.
 * `onTriggerRemoved` is called when that element is gone; by default, what is in its place gets the focus.
 */
export function useReturnFocus(onTriggerRemoved: () => void = () => focusTrigger(firstTrigger)) {
  const trigger = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      const { activeElement, body } = document;
      trigger.current = activeElement === body ? null : activeElement;
      const nested = trigger.current?.closest(DIALOG);
      if (trigger.current && !nested) firstTrigger = trigger.current;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (trigger.current?.isConnected) focusTrigger(trigger.current);
      else onTriggerRemoved();
      // Looked up, because a dialog that has the focus already when it opens calls no onOpenAutoFocus.
      if (!document.querySelector(DIALOG)) firstTrigger = null;
    },
  };
}

function focusTrigger(trigger: Element | null) {
  if (trigger instanceof HTMLElement && trigger.isConnected) trigger.focus();
  else if (trigger) focusNear(trigger);
  else document.querySelector('h1')?.focus();
}
