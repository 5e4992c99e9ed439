import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlClass, Field, type FieldText } from './Field.tsx';

export interface Option {
  value: string;
  label: string;
}

interface Props extends FieldText, Omit<ComponentProps<'select'>, 'className' | 'size' | 'multiple'> {
  options: readonly Option[];
  /** Shown, and not to be picked, while nothing is chosen. */
  placeholder?: string;
}

/** One of several. The browser's own list: it is right on every keyboard, phone and screen reader. */
export function SelectField({ label, hint, error, labelHidden, className, options, placeholder, ...select }: Props) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <div className="relative">
          <select className={clsx(controlClass, 'h-11 appearance-none pr-10 pl-3 sm:h-10')} {...select} {...control}>
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
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4" />
        </div>
      )}
    </Field>
  );
}
