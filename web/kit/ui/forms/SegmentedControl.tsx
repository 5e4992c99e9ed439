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
    <div role="group" aria-label={label} className={clsx(segmentedClass, 'max-w-full flex-wrap gap-y-1.5')}>
      {options.map(({ value: option, label, icon: Icon }) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onValueChange(option)}
          className={segmentClass}
        >
          {Icon && <Icon aria-hidden="true" />}
          {label}
        </button>
      ))}
    </div>
  );
}

// The same look for tabs and radios, which have other semantics. With border and padding it is as tall as a button.
export const segmentedClass = 'inline-flex shrink-0 rounded-md border border-control bg-surface p-0.5';

export const segmentClass = clsx(
  'hit-area inline-flex min-h-[calc(--spacing(11)-6px)] items-center justify-center gap-2 rounded-sm px-3 max-sm:min-w-11 max-sm:px-2 text-sm font-medium transition-colors',
  'hover:bg-sunken sm:min-h-[calc(--spacing(10)-6px)] [&>svg]:size-4',
  'aria-pressed:bg-pine aria-pressed:text-on-pine data-[state=active]:bg-pine data-[state=active]:text-on-pine',
);
