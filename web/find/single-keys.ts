import { useSyncExternalStore } from 'react';
import { tryStorage } from '#web/kit/storage/storage.ts';

const listeners = new Set<() => void>();
/** Not in kit/user-storage.ts, which a log-out clears: users of speech input switch the keys off once. */
const storageKey = (userId: number) => `highstreet.single-keys-off.${userId}`;

/** Whether shortcuts without Ctrl or ⌘ are on, which WCAG 2.1.4 requires to be a choice. */
export const areSingleKeysOn = (userId: number) =>
  tryStorage(() => localStorage.getItem(storageKey(userId))) !== 'true';

export function setSingleKeys(userId: number, on: boolean) {
  tryStorage(() =>
    on ? localStorage.removeItem(storageKey(userId)) : localStorage.setItem(storageKey(userId), 'true'),
  );
  for (const listener of listeners) listener();
}

export const useSingleKeys = (userId: number) => useSyncExternalStore(subscribe, () => areSingleKeysOn(userId));

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
