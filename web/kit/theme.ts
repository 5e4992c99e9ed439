import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'highstreet.theme';
const listeners = new Set<() => void>();

const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);

/** What the person chose; until they do, the system decides. public/theme.js does the same before the first paint. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return isTheme(theme) ? theme : 'system';
}

export function chooseTheme(theme: Theme) {
  apply(theme);
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage can be forbidden: the choice then lasts as long as the page.
  }
}

export const useTheme = () => useSyncExternalStore(subscribe, chosenTheme);

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function subscribe(changed: () => void) {
  // Another tab of the same person chose.
  const elsewhere = ({ key, newValue }: StorageEvent) => key === KEY && apply(isTheme(newValue) ? newValue : 'system');
  listeners.add(changed);
  window.addEventListener('storage', elsewhere);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', elsewhere);
  };
}
