import type { z } from 'zod';
import type { confirmCodes } from '#contract/account/codes.calls.ts';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import type { useForm } from '#web/kit/form.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';

/** What the forms begin with, for users with and without a password. */
export function useEmptyProof() {
  const hasPassword = useHasPassword();
  return { code: '', ...(hasPassword && { password: '' }) };
}

type Values = z.input<typeof confirmCodes.body>;

interface Props {
  form: Pick<ReturnType<typeof useForm<Values, Values>>, 'field'>;
  hint: string;
}

/** What every change of the one-time codes asks for. */
export function PasswordAndCode({ form, hint }: Props) {
  const hasPassword = useHasPassword();
  return (
    <>
      <TextField
        label="Code"
        hint={hint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={50}
        {...form.field('code')}
      />
      {hasPassword && (
        <PasswordField label="Your password" autoComplete="current-password" {...form.field('password')} />
      )}
    </>
  );
}
