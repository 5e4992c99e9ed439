import { useSyncExternalStore } from 'react';
import { tryStorage } from '#web/kit/storage/storage.ts';

interface Options<T extends string> {
  /** Of the attribute, and of the item in the browser's storage. */
  name: string;
  /** The first is the default, for which there is neither. */
  options: readonly [T, ...T[]];
  onApply?: (choice: T) => void;
}

/**
 * A choice of this browser that is an attribute of the document. public/theme.js sets the attribute before the first
 * paint, and all tabs follow.
 */
export function createDocumentChoice<T extends string>({ name, options, onApply }: Options<T>) {
  const key = `highstreet.${name}`;
  const [standard] = options;
  const listeners = new Set<() => void>();
  const toChoice = (value: unknown): T => options.find((option) => option === value) ?? standard;
  const get = () => toChoice(document.documentElement.dataset[name]);

  function apply(choice: T) {
    if (choice === standard) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = choice;
    onApply?.(choice);
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    const onStorage = (event: StorageEvent) => event.key === key && apply(toChoice(event.newValue));
    listeners.add(listener);
    window.addEventListener('storage', onStorage);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', onStorage);
    };
  }

  return {
    set: (choice: T) => {
      apply(choice);
      tryStorage(() => (choice === standard ? localStorage.removeItem(key) : localStorage.setItem(key, choice)));
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
