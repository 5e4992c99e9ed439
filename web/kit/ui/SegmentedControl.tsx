import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';

interface Props<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  value: T;
  onValueChange: (value: T) => void;
}

/** Switches between a few views of the same content. */
export function SegmentedControl<T extends string>({ label, options, value, onValueChange }: Props<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={label} className="inline-flex rounded-md border border-control bg-surface p-0.5">
      {options.map(({ value: option, label, icon: Icon }) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onValueChange(option)}
          className={clsx(
            // With the border and padding around it, as tall as a button.
            'inline-flex min-h-[calc(--spacing(11)-6px)] items-center gap-2 rounded-sm px-3 text-base font-medium transition-colors sm:min-h-[calc(--spacing(10)-6px)] sm:text-sm',
            option === value ? 'bg-pine text-on-pine' : 'hover:bg-sunken',
          )}
        >
          {Icon && <Icon aria-hidden="true" className="size-4" />}
          {label}
        </button>
      ))}
    </div>
  );
}
