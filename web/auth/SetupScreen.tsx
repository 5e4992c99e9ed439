import { firstUser } from '#contract/users/user.ts';
import { ApiError } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { useRegister, useSession } from './session.data.ts';

const EMPTY = { username: '', email: '', fullName: '', password: '', setupCode: '' };

export function SetupScreen() {
  const session = useSession();
  const codeRequired = !session.user && session.setup.codeRequired;
  const register = useRegister();
  const form = useForm(firstUser, {
    defaults: EMPTY,
    onSubmit: ({ setupCode, ...account }) => register.mutateAsync(codeRequired ? { ...account, setupCode } : account),
  });

  return (
    <AuthLayout
      title="Set up Highstreet"
      intro="This installation has no accounts yet. The one you create here is its administrator: it issues all other accounts. This page then closes for good."
    >
      {register.isError && <Notice tone="danger">{adviceFor(register.error)}</Notice>}
      <Form onSubmit={form.submit} aria-label="Set up Highstreet">
        <TextField label="Full name" {...form.field('fullName')} autoComplete="name" />
        <TextField label="Email" type="email" {...form.field('email')} autoComplete="email" autoCapitalize="none" />
        <TextField
          label="Username"
          {...form.field('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField
          label="Password"
          hint="8 to 100 characters, any you like."
          {...form.field('password')}
          autoComplete="new-password"
        />
        {codeRequired && (
          <TextField
            label="Set-up code"
            hint="The server printed it when it started. It shows that you are the one who runs this installation."
            {...form.field('setupCode')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <Button type="submit" busy={form.busy}>
          Create administrator account
        </Button>
      </Form>
    </AuthLayout>
  );
}

/** The toast shows the server's message; this notice stays and says what to do. */
function adviceFor(error: Error) {
  if (error instanceof ApiError && error.status < 500) return 'No account was created. Check the form and try again.';
  return 'No account was created. Please try again in a moment.';
}
