import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { controlClass, Field, type FieldText } from './Field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'size'>;

export function Input({ className, ...rest }: InputProps) {
  return <input className={clsx(controlClass, 'h-11 px-3 sm:h-10', className)} {...rest} />;
}

/** A line of text with its label. */
export function TextField({ label, hint, error, labelHidden, className, ...input }: FieldText & InputProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}

/** Text of several lines with its label. */
export function TextareaField({
  label,
  hint,
  error,
  labelHidden,
  className,
  ...textarea
}: FieldText & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => <textarea className={clsx(controlClass, 'min-h-24 px-3 py-2')} {...textarea} {...control} />}
    </Field>
  );
}
