import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

export interface FieldText {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** For places where the words around it say what it is: the label is then read, not seen. */
  labelHidden?: boolean;
  className?: string;
}

export interface ControlProps {
  id: string;
  'aria-label': string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends FieldText {
  children: (control: ControlProps) => ReactNode;
}

/** A label, a control, and what there is to say about it, wired together for whoever cannot see that they are. */
export function Field({ label, hint, error, labelHidden, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;

  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      {!labelHidden && (
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
      )}
      {children({
        id,
        'aria-label': labelHidden ? label : undefined,
        'aria-describedby': describedBy,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** What every control that takes text looks like. */
export const controlClass = clsx(
  'w-full rounded-md border border-control bg-surface text-ink transition-colors hover:border-ink',
  'focus-visible:border-pine focus-visible:outline-offset-0 aria-invalid:border-danger',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted disabled:hover:border-control',
);
