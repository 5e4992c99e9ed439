import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Field, type FieldProps, lineControlClass } from './Field.tsx';

export interface Option {
  value: string;
  label: string;
}

interface Props extends FieldProps, Omit<ComponentProps<'select'>, 'className' | 'size' | 'multiple'> {
  options: readonly Option[];
  /** Shown while no option is chosen; it cannot be chosen itself. */
  placeholder?: string;
  /** Reads the options again, where the error is that they could not be loaded. */
  onRetry?: (() => void) | undefined;
}

/** The browser's own select: it works with every keyboard, phone and screen reader. */
export function SelectField({ options, placeholder, onRetry, ...props }: Props) {
  const { label, hint, error, labelHidden, className, ...select } = props;
  // A name that does not fit ends with an ellipsis.
  const chosen = options.find(({ value }) => value === select.value)?.label;
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className} onRetry={onRetry}>
      {(control) => (
        <div className="relative">
          <select
            title={chosen}
            className={clsx(lineControlClass, 'appearance-none truncate pr-8 pl-3')}
            {...select}
            {...control}
          >
            {placeholder !== undefined && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4" />
        </div>
      )}
    </Field>
  );
}
