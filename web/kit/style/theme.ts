import { createDocumentChoice } from './document-choice.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The user's choice; without one, the system decides. */
const choice = createDocumentChoice<Theme>({
  name: 'theme',
  options: THEMES,
  onApply: (theme) => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const metaTheme = meta.dataset.theme;
      meta.media =
        theme === 'system' ? `(prefers-color-scheme: ${metaTheme})` : theme === metaTheme ? 'all' : 'not all';
    }
  },
});

export const setTheme = choice.set;
export const useTheme = choice.use;
