import { clsx } from 'clsx';
import type { ComponentProps, KeyboardEvent } from 'react';
import { controlClass, Field, type FieldProps, lineControlClass } from './Field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'size' | 'className'>;

/** A line of text with its label. */
export function TextField({ label, hint, error, labelHidden, className, ...input }: FieldProps & InputProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => <input className={clsx(lineControlClass, 'px-3')} {...input} {...control} />}
    </Field>
  );
}

interface TextareaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'className'> {
  /** As low as a line of text. */
  low?: boolean;
}

/** Text of several lines with its label. Ctrl or ⌘ and Enter submit its form. */
export function TextareaField(props: TextareaProps) {
  const { label, hint, error, labelHidden, className, low = false, ...textarea } = props;
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <textarea
          className={clsx(controlClass, 'px-3 py-2', low ? 'min-h-11' : 'min-h-24')}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onKeyDown={submitByKey}
          {...textarea}
          {...control}
        />
      )}
    </Field>
  );
}

function submitByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
