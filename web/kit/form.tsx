import { zodResolver } from '@hookform/resolvers/zod';
import type { ComponentProps } from 'react';
import { type DefaultValues, type Path, type RegisterOptions, useForm as useHookForm } from 'react-hook-form';
import type { z } from 'zod';
import { ApiError } from './api.ts';

type Values = Record<string, unknown>;

interface Options<I extends Values, O> {
  defaults: DefaultValues<I>;
  /** What to do with valid input; usually a mutation's `mutateAsync`. What was typed stays when it fails. */
  onSubmit: (values: O) => Promise<unknown> | undefined;
}

/**
 * A form that refuses with the contract's own sentences. What the server still finds wrong with a field is put on
 * that field too, and the first field in error takes the focus.
 */
export function useForm<I extends Values, O extends Values>(schema: z.ZodType<O, I>, options: Options<I, O>) {
  const form = useHookForm<I, unknown, O>({ resolver: zodResolver(schema), defaultValues: options.defaults });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await options.onSubmit(values);
    } catch (error) {
      // The mutation has said that it failed. Here only the fields are told.
      const refused = fieldErrors(error).filter(({ path }) => path in form.getValues());
      refused.forEach(({ path, message }, index) => {
        form.setError(path as Path<I>, { message }, { shouldFocus: index === 0 });
      });
    }
  });

  return {
    /** Connects a field of the kit: `<TextField label="Email" {...form.field('email')} />`. */
    field: (name: Path<I>, rules?: RegisterOptions<I>) => ({
      ...form.register(name, rules),
      error: errors[name]?.message as string | undefined,
    }),
    submit,
    busy: isSubmitting,
    reset: form.reset,
    setValue: form.setValue,
    watch: form.watch,
  };
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  onSubmit: (event: React.FormEvent) => Promise<void>;
}

export function Form({ onSubmit, className = 'flex flex-col gap-5', ...rest }: FormProps) {
  return <form noValidate className={className} onSubmit={(event) => void onSubmit(event)} {...rest} />;
}

/** A taken name comes without a path: its code names the field. */
function fieldErrors(error: unknown) {
  if (!(error instanceof ApiError)) return [];
  const taken = /^duplicate_(\w+)$/.exec(error.code)?.[1];
  return error.errors.length === 0 && taken ? [{ path: taken, message: error.reason }] : error.errors;
}
