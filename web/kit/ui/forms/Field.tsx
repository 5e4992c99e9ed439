import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Where the context shows what the field is: the label is then an `aria-label`. */
  labelHidden?: boolean;
  className?: string;
}

interface ControlProps {
  id: string;
  'aria-label': string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface Props extends FieldProps {
  /** Where the error is that the options could not be loaded. */
  onRetry?: (() => void) | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label, hint and validation error, connected for assistive technology. */
export function Field({ label, hint, error, labelHidden, className, onRetry, children }: Props) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;

  return (
    <div className={clsx('flex flex-col gap-1', className)}>
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
        <p id={errorId} className="flex items-start gap-1 text-sm text-danger-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {error && onRetry && (
        <Button variant="secondary" size="sm" className="self-start" onClick={onRetry}>
          Try Again
        </Button>
      )}
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The style of every control that takes text. Its text is 16 px on phones: iOS zooms into a field with smaller text. */
export const controlClass = clsx(
  'w-full rounded-md border border-control bg-surface text-base text-ink transition-colors hover:border-ink sm:text-sm',
  'focus-visible:border-pine focus-visible:outline-offset-0 aria-invalid:border-danger',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted disabled:hover:border-control',
);

/** A control of one line, as tall as a button. */
export const lineControlClass = clsx(controlClass, 'h-11 text-ellipsis sm:h-10');
