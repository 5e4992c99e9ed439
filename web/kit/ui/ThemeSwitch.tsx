import { clsx } from 'clsx';
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, THEMES, type Theme, useTheme } from '#web/kit/style/theme.ts';
import { segmentClass, segmentedClass } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { FocusOutline } from './FocusOutline.tsx';

const OPTIONS: Record<Theme, { label: string; icon: LucideIcon }> = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
};

export function ThemeSwitch() {
  const current = useTheme();
  return (
    <fieldset className={segmentedClass}>
      <legend className="sr-only">Theme</legend>
      {THEMES.map((theme) => {
        const { label, icon: Icon } = OPTIONS[theme];
        return (
          <label
            key={theme}
            title={label}
            data-state={theme === current ? 'active' : undefined}
            className={clsx(segmentClass, 'cursor-pointer')}
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={theme === current}
              onChange={() => setTheme(theme)}
              className="peer sr-only"
            />
            <FocusOutline />
            <Icon aria-hidden="true" />
            <span className="sr-only">{label}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
