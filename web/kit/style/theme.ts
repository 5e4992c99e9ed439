import { useSyncExternalStore } from 'react';
import { tryStorage } from '#web/kit/storage/storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'highstreet.theme';
const listeners = new Set<() => void>();

const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);

/** The user's choice; without one, the system decides. public/theme.js applies it before the first paint. */
function getTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return isTheme(theme) ? theme : 'system';
}

export function setTheme(theme: Theme) {
  apply(theme);
  tryStorage(() => (theme === 'system' ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, theme)));
}

export const useTheme = () => useSyncExternalStore(subscribe, getTheme);

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const metaTheme = meta.dataset.theme;
    meta.media = theme === 'system' ? `(prefers-color-scheme: ${metaTheme})` : theme === metaTheme ? 'all' : 'not all';
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  const onStorage = ({ key, newValue }: StorageEvent) => key === KEY && apply(isTheme(newValue) ? newValue : 'system');
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
