import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, THEMES, type Theme, useTheme } from '#web/kit/theme.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

const OPTIONS: Record<Theme, { label: string; icon: LucideIcon }> = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
};

export function ThemeSwitch() {
  const current = useTheme();
  return (
    <fieldset className="inline-flex shrink-0 rounded-full border border-line bg-paper p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((theme) => {
        const { label, icon: Icon } = OPTIONS[theme];
        return (
          <label
            key={theme}
            title={label}
            className="grid size-8 cursor-pointer place-items-center rounded-full text-muted hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-pine"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={theme === current}
              onChange={() => setTheme(theme)}
              className="sr-only"
            />
            <Icon aria-hidden="true" className="size-4" />
            <VisuallyHidden>{label}</VisuallyHidden>
          </label>
        );
      })}
    </fieldset>
  );
}
