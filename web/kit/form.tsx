import { type ComponentProps, type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from './api.ts';

type Values = Record<string, unknown>;
type Errors = Record<string, string | undefined>;

interface Options<I extends Values, O> {
  defaults: I;
  /** Called with valid values; usually a mutation's `mutateAsync`. The fields keep their text when it fails. */
  onSubmit: (values: O) => Promise<unknown> | undefined;
}

/**
 * A form validated by a schema of the contract: on submit, and then on every change of an invalid field. Field errors
 * of the server are shown at the fields as well, and the first invalid field takes the focus. The fields are
 * uncontrolled, because password managers write into the DOM.
 */
export function useForm<I extends Values, O extends Values>(
  schema: z.ZodType<O, I>,
  { defaults, onSubmit }: Options<I, O>,
) {
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const readValues = (element: HTMLFormElement) => ({ ...defaults, ...Object.fromEntries(new FormData(element)) });

  function showErrors(element: HTMLFormElement, next: Errors) {
    setErrors(next);
    focusFirstInvalid(element, next);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    form.current = element;
    if (busy) return;
    const parsed = schema.safeParse(readValues(element));
    if (!parsed.success) return showErrors(element, firstErrors(parsed.error.issues));
    setErrors({});
    setBusy(true);
    try {
      await onSubmit(parsed.data);
    } catch (error) {
      // The mutation's own toast shows the error.
      showErrors(element, firstErrors(fieldErrors(error)));
    } finally {
      setBusy(false);
    }
  }

  /** Only a field that already shows an error is validated on change. */
  function revalidate({ currentTarget }: { currentTarget: { name: string; form: HTMLFormElement | null } }) {
    const { name, form: element } = currentTarget;
    if (!errors[name] || !element) return;
    const parsed = schema.safeParse(readValues(element));
    setErrors({ ...errors, [name]: parsed.success ? undefined : firstErrors(parsed.error.issues)[name] });
  }

  return {
    /** Connects a field of the kit: `<TextField label="Email" {...form.field('email')} />`. */
    field: (name: keyof I & string) => ({
      name,
      defaultValue: String(defaults[name] ?? ''),
      onChange: revalidate,
      error: errors[name],
    }),
    submit,
    busy,
    /** Sets the values of the fields. */
    reset: (values: Partial<I>) => {
      setErrors({});
      for (const [name, value] of Object.entries(values)) {
        const control = form.current?.elements.namedItem(name);
        if (control && 'value' in control) control.value = String(value);
      }
    },
  };
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
}

export function Form({ onSubmit, className = 'flex flex-col gap-5', ...rest }: FormProps) {
  return <form noValidate className={className} onSubmit={(event) => void onSubmit(event)} {...rest} />;
}

export function focusFirstInvalid(form: HTMLFormElement, errors: Errors) {
  const first = [...form.elements].find((control) => errors[(control as HTMLInputElement).name]);
  if (first instanceof HTMLElement) first.focus();
}

/** The first error of each field. */
export function firstErrors(issues: { path: PropertyKey[] | string; message: string }[]): Errors {
  const errors: Errors = {};
  for (const { path, message } of issues) errors[String([path].flat()[0])] ??= message;
  return errors;
}

/** A duplicate has no path; its code names the field. */
function fieldErrors(error: unknown) {
  if (!(error instanceof ApiError)) return [];
  const duplicate = /^duplicate_(\w+)$/.exec(error.code)?.[1];
  return error.errors.length === 0 && duplicate ? [{ path: duplicate, message: error.reason }] : error.errors;
}
