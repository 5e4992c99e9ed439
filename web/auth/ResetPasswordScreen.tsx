import { useLocation } from 'wouter';
import { resetPasswordForm } from '#contract/auth/forms.ts';
import { ApiError } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { useResetPassword, useResetToken } from './password-reset.data.ts';

const MISSING = 'Missing reset token. Please check your reset link or request a new one.';
const INVALID = 'Invalid or expired token. Please request a new reset link.';
const NOT_VERIFIED = 'An error occurred while verifying your reset token. Please try again later.';
const NOT_RESET = 'An error occurred while resetting your password. Please try again.';
const NO_RESPONSE = 'An error occurred. Please try again later.';

export function ResetPasswordScreen({ token }: { token: string | undefined }) {
  const verified = useResetToken(token);

  if (!token) return <InvalidLink reason={MISSING} />;
  if (verified.isPending) {
    return (
      <AuthLayout title="Reset password">
        <Loading label="Verifying your reset link…" />
      </AuthLayout>
    );
  }
  if (verified.isError) return <InvalidLink reason={isInvalidToken(verified.error) ? INVALID : NOT_VERIFIED} />;
  if (!verified.data.valid) return <InvalidLink reason={INVALID} />;
  return <NewPassword token={token} />;
}

function InvalidLink({ reason }: { reason: string }) {
  return (
    <AuthLayout title="Reset password">
      <Notice tone="danger">{reason}</Notice>
      <ButtonLink href="/forgot-password">Request a new reset link</ButtonLink>
    </AuthLayout>
  );
}

function NewPassword({ token }: { token: string }) {
  const reset = useResetPassword(token);
  const form = useForm(resetPasswordForm, {
    defaults: { password: '', confirmPassword: '' },
    onSubmit: ({ password }) => reset.mutateAsync(password),
  });

  if (reset.isSuccess) return <PasswordChanged />;
  if (isInvalidToken(reset.error)) return <InvalidLink reason={INVALID} />;
  return (
    <AuthLayout title="Reset password" intro="Choose a new password for your account.">
      {reset.isError && <Notice tone="danger">{reset.error instanceof ApiError ? NOT_RESET : NO_RESPONSE}</Notice>}
      <Form onSubmit={form.submit} aria-label="Reset password">
        <PasswordField
          label="New password"
          hint="8 to 100 characters, with upper and lower case letters and a digit."
          {...form.field('password')}
          autoComplete="new-password"
        />
        <PasswordField label="Confirm password" {...form.field('confirmPassword')} autoComplete="new-password" />
        <Button type="submit" busy={form.busy}>
          {form.busy ? 'Resetting...' : 'Reset password'}
        </Button>
      </Form>
    </AuthLayout>
  );
}

function PasswordChanged() {
  const [, navigate] = useLocation();
  return (
    <AuthLayout title="Password changed">
      <Notice tone="good">Your password has been reset. You can now sign in with it.</Notice>
      <Button onClick={() => navigate('/auth')}>Go to Login</Button>
    </AuthLayout>
  );
}

const isInvalidToken = (error: Error | null) => error instanceof ApiError && error.code === 'invalid_token';
