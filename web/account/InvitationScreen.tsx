import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { z } from 'zod';
import {
  acceptedInvitation,
  acceptInvitation,
  getInvitation,
  startInvitedPasskey,
} from '#contract/account/invitations.calls.ts';
import { AuthLayout } from '#web/auth/AuthLayout.tsx';
import { canUsePasskeys, makePasskey } from '#web/auth/passkeys.ts';
import { useBeginSession } from '#web/auth/session.data.ts';
import { ApiError, isAborted, read, send } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
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
    if (invitation.error instanceof ApiError && invitation.error.code === 'sso_required') {
      return (
        <AuthLayout title={TITLE}>
          <Notice>{invitation.error.reason}</Notice>
          <ButtonLink href="/auth">Go to the sign-in page</ButtonLink>
        </AuthLayout>
      );
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
  const [byPasskey, setByPasskey] = useState(false);
  const accept = useAcceptInvitation();
  const form = useForm<Values, Values>(byPasskey ? withoutPassword : acceptedInvitation, {
    defaults: { token, username: '', fullName, ...(!byPasskey && { password: '' }) },
    onSubmit: (chosen) => accept.mutateAsync(chosen),
  });
  const failed = accept.error && !isAborted(accept.error) && accept.error;
  return (
    <AuthLayout title={TITLE} intro={`Choose how you sign in. Your e-mail address is ${email}.`}>
      {failed && <Notice tone="danger">{failed instanceof ApiError ? failed.reason : failed.message}</Notice>}
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
        {byPasskey ? (
          <p className="text-sm text-muted">
            Your browser asks where to keep the passkey: on this device, on your phone, or in your password manager.
          </p>
        ) : (
          <PasswordField
            label="Password"
            hint="8 to 100 characters, any you like."
            {...form.field('password')}
            autoComplete="new-password"
          />
        )}
        <Button type="submit" busy={form.busy}>
          {byPasskey ? 'Create account with a passkey' : 'Create account'}
        </Button>
        {canUsePasskeys() && (
          <Button variant="secondary" disabled={form.busy} onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? 'Use a password instead' : 'Use a passkey instead of a password'}
          </Button>
        )}
      </Form>
    </AuthLayout>
  );
}

type Chosen = z.output<typeof acceptedInvitation>;
type Values = Omit<Chosen, 'password'> & { password?: string };

const withoutPassword = acceptedInvitation.omit({ password: true });

/** Without a password, the browser makes a passkey first. */
function useAcceptInvitation() {
  const beginSession = useBeginSession();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async ({ password, ...chosen }: Values) => {
      if (password !== undefined) return send(acceptInvitation, { body: { ...chosen, password } });
      const options = await send(startInvitedPasskey, { body: chosen });
      return send(acceptInvitation, { body: { ...chosen, passkey: await makePasskey(options) } });
    },
    onSuccess: (user) => {
      beginSession(user);
      navigate('/', { replace: true });
    },
    meta: { errorTitle: null },
  });
}
