import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { FORGOT_PASSWORD_RESPONSE, forgotPassword } from '#contract/auth/password-reset.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { useForgotPassword } from './password-reset.data.ts';

export function ForgotPasswordScreen() {
  const forgot = useForgotPassword();
  const form = useForm(forgotPassword.body, {
    defaults: { email: '' },
    onSubmit: ({ email }) => forgot.mutateAsync(email),
  });

  return (
    <AuthLayout
      title="Forgot password"
      intro="Enter the email address of your account, and a link to choose a new password is on its way."
    >
      {forgot.isSuccess && <Notice tone="good">{FORGOT_PASSWORD_RESPONSE}</Notice>}
      {forgot.isError && <Notice tone="danger">An error occurred. Please try again.</Notice>}
      {!forgot.isSuccess && (
        <Form onSubmit={form.submit} aria-label="Forgot password">
          <TextField
            label="Email"
            type="email"
            {...form.field('email')}
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" busy={form.busy}>
            {form.busy ? 'Sending...' : 'Send reset link'}
          </Button>
        </Form>
      )}
      <Link href="/auth" className={`hit-area inline-flex items-center gap-1 self-start py-1 text-sm ${linkClass}`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to sign in
      </Link>
    </AuthLayout>
  );
}
