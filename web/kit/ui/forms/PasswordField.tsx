import { clsx } from 'clsx';
import { type ComponentProps, useState } from 'react';
import { Field, type FieldProps, lineControlClass } from './Field.tsx';

interface Props extends FieldProps, Omit<ComponentProps<'input'>, 'type' | 'className'> {
  autoComplete: 'current-password' | 'new-password';
}

/** A password that can be pasted, filled in by a password manager, and shown. */
export function PasswordField({ label, hint, error, labelHidden, className, ...input }: Props) {
  const [shown, setShown] = useState(false);

  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={clsx(lineControlClass, 'pr-18 pl-3')}
          />
          <button
            type="button"
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 rounded-md px-4 text-sm font-medium text-pine-text hover:bg-sunken"
          >
            {shown ? 'Hide ' : 'Show '}
            <span className="sr-only">{label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
