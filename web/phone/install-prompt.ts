import { useSyncExternalStore } from 'react';

/** Of Chromium, which asks the user itself; the standard library has no type for it. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

let waiting: InstallPromptEvent | undefined;
const listeners = new Set<() => void>();

const isInstallPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event;

function set(event: InstallPromptEvent | undefined) {
  waiting = event;
  for (const listener of listeners) listener();
}

/** Keeps the browser from offering the installation by itself, for the moment when the app offers it. Before the first render. */
export function holdInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (isInstallPrompt(event)) set(event);
  });
  window.addEventListener('appinstalled', () => set(undefined));
}

/** Opens the browser's own question; undefined where it has none, and the user installs by its menu. */
export function useInstallPrompt(): (() => void) | undefined {
  const event = useSyncExternalStore(subscribe, () => waiting);
  if (!event) return undefined;
  return () => {
    set(undefined); // it works once
    void event.prompt().catch(() => {});
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
