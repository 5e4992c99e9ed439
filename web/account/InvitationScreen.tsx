import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Body } from '#contract/call.ts';
import { acceptedInvitation, acceptInvitation, getInvitation } from '#contract/users/invitations.calls.ts';
import { AuthLayout } from '#web/auth/AuthLayout.tsx';
import { useBeginSession } from '#web/auth/session.data.ts';
import { ApiError, read, send } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';

const TITLE = 'Welcome to Highstreet';

/** Behind the link of an invitation: the invited person creates their account. */
export function InvitationScreen({ token = '' }: { token: string | undefined }) {
  const invitation = useQuery({ ...read(getInvitation, { params: { token } }), enabled: token !== '', gcTime: 0 });
  if (!token) return <Refused>This link is not complete. Open it again from the e-mail.</Refused>;
  if (invitation.isError) {
    if (invitation.error instanceof ApiError && invitation.error.code === 'invalid_token') {
      return <Refused>{invitation.error.reason}</Refused>;
    }
    return (
      <AuthLayout title={TITLE}>
        <ErrorState title="Your invitation could not be loaded" onRetry={() => void invitation.refetch()}>
          {invitation.error.message}
        </ErrorState>
      </AuthLayout>
    );
  }
  if (!invitation.data) {
    return (
      <AuthLayout title={TITLE}>
        <Loading label="Loading your invitation…" />
      </AuthLayout>
    );
  }
  return <NewAccount token={token} {...invitation.data} />;
}

function Refused({ children }: { children: string }) {
  return (
    <AuthLayout title={TITLE}>
      <Notice tone="danger">{children}</Notice>
    </AuthLayout>
  );
}

function NewAccount({ token, email, fullName }: { token: string; email: string; fullName: string }) {
  const beginSession = useBeginSession();
  const [, navigate] = useLocation();
  const accept = useMutation({
    mutationFn: (body: Body<typeof acceptInvitation>) => send(acceptInvitation, { body }),
    onSuccess: (user) => {
      beginSession(user);
      navigate('/', { replace: true });
    },
    meta: { errorTitle: null },
  });
  const form = useForm(acceptedInvitation, {
    defaults: { token, username: '', fullName, password: '' },
    onSubmit: (body) => accept.mutateAsync(body),
  });
  return (
    <AuthLayout title={TITLE} intro={`Choose how you sign in. Your e-mail address is ${email}.`}>
      {accept.isError && <Notice tone="danger">{accept.error.message.replace(/^\d+: /, '')}</Notice>}
      <Form onSubmit={form.submit} aria-label="Your account">
        <TextField label="Full name" {...form.field('fullName')} autoComplete="name" />
        <TextField
          label="Username"
          hint="Letters, digits, dots, underscores and hyphens."
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
        <Button type="submit" busy={form.busy}>
          Create account
        </Button>
      </Form>
    </AuthLayout>
  );
}
