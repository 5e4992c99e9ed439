import { useSyncExternalStore } from 'react';

export type Progress = ReturnType<typeof createProgress>;

/** A store for a progress from 0 to 1. */
export function createProgress() {
  let share = 0;
  const listeners = new Set<() => void>();
  return {
    get: () => share,
    set(next: number) {
      share = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const useProgress = ({ subscribe, get }: Progress) => useSyncExternalStore(subscribe, get);
