import { type ComponentProps, type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from './api.ts';

type Values = Record<string, unknown>;
type Errors = Record<string, string | undefined>;

interface Options<I extends Values, O> {
  defaults: I;
  /** What to do with valid input; usually a mutation's `mutateAsync`. What was typed stays when it fails. */
  onSubmit: (values: O) => Promise<unknown> | undefined;
}

/**
 * A form that refuses with the contract's own sentences, when it is sent and then as the mistake is mended. What the
 * server still finds wrong with a field is put on that field too, and the first field in error takes the focus. The
 * text lives in the page's own fields, where password managers write it.
 */
export function useForm<I extends Values, O extends Values>(
  schema: z.ZodType<O, I>,
  { defaults, onSubmit }: Options<I, O>,
) {
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const typed = (element: HTMLFormElement) => ({ ...defaults, ...Object.fromEntries(new FormData(element)) });

  function refuse(element: HTMLFormElement, found: Errors) {
    setErrors(found);
    const first = [...element.elements].find((control) => found[(control as HTMLInputElement).name]);
    if (first instanceof HTMLElement) first.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    form.current = element;
    if (busy) return;
    const read = schema.safeParse(typed(element));
    if (!read.success) return refuse(element, firstErrors(read.error.issues));
    setErrors({});
    setBusy(true);
    try {
      await onSubmit(read.data);
    } catch (error) {
      // The mutation has said that it failed. Here only the fields are told.
      refuse(element, firstErrors(fieldErrors(error)));
    } finally {
      setBusy(false);
    }
  }

  /** A field that was refused is judged again while it is mended; one that was not is left in peace. */
  function revalidate({ currentTarget }: { currentTarget: { name: string; form: HTMLFormElement | null } }) {
    const { name, form: element } = currentTarget;
    if (!errors[name] || !element) return;
    const read = schema.safeParse(typed(element));
    setErrors({ ...errors, [name]: read.success ? undefined : firstErrors(read.error.issues)[name] });
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
    /** Puts other text into the fields. */
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

/** One sentence for each field: the first that was found. */
function firstErrors(found: { path: PropertyKey[] | string; message: string }[]): Errors {
  const errors: Errors = {};
  for (const { path, message } of found) errors[String([path].flat()[0])] ??= message;
  return errors;
}

/** A taken name comes without a path: its code names the field. */
function fieldErrors(error: unknown) {
  if (!(error instanceof ApiError)) return [];
  const taken = /^duplicate_(\w+)$/.exec(error.code)?.[1];
  return error.errors.length === 0 && taken ? [{ path: taken, message: error.reason }] : error.errors;
}
