import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: string;
  /** For a box in a table row: the label is then an `aria-label`. */
  labelHidden?: boolean;
  /** Some but not all of the items it stands for are selected. */
  indeterminate?: boolean;
}

export function Checkbox({ label, labelHidden, indeterminate = false, ...input }: Props) {
  return (
    <label
      className={clsx(
        'hit-area inline-flex items-center gap-2 align-middle text-sm',
        !labelHidden && 'max-sm:min-h-11',
      )}
    >
      <input
        {...input}
        type="checkbox"
        aria-label={labelHidden ? label : undefined}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate;
        }}
        className="size-5 shrink-0 disabled:opacity-60"
      />
      {!labelHidden && label}
    </label>
  );
}

/** A setting that takes effect at once. */
export function Switch({ label, ...input }: Omit<Props, 'labelHidden' | 'indeterminate'>) {
  return (
    <label className="hit-area inline-flex items-center gap-2 text-sm max-sm:min-h-11">
      <input
        {...input}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox exposes its checked state itself
        role="switch"
        className={clsx(
          'relative h-5 w-9 shrink-0 appearance-none rounded-full border border-control bg-sunken transition-colors',
          'before:absolute before:inset-y-0.5 before:left-0.5 before:aspect-square before:rounded-full before:bg-control',
          'before:transition-transform checked:border-pine checked:bg-pine checked:before:translate-x-4',
          'checked:before:bg-on-pine disabled:opacity-60',
        )}
      />
      {label}
    </label>
  );
}
