import { useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { z } from 'zod';
import { codeForm, signInForm } from '#contract/auth/forms.ts';
import { redirectTarget } from '#web/guards.ts';
import { ApiError } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { lazyComponent } from '#web/kit/lazy.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { isCodeRequired, useSignIn } from './session.data.ts';
import { useSso } from './sso.data.ts';

/** Most installations have none. */
const SsoSignIn = lazyComponent(async () => (await import('./SsoSignIn.tsx')).SsoSignIn);

type Credentials = z.output<typeof signInForm>;

export function SignInScreen() {
  const [credentials, setCredentials] = useState<Credentials>();
  const [username, setUsername] = useState('');
  if (!credentials) return <FirstStep username={username} onCodeRequired={setCredentials} />;
  const startAgain = () => {
    setUsername(credentials.username);
    setCredentials(undefined);
  };
  return <CodeStep credentials={credentials} onStartAgain={startAgain} />;
}

interface FirstStepProps {
  username: string;
  onCodeRequired: (credentials: Credentials) => void;
}

/** Single sign-on, where there is any, and the password, unless it is off. */
function FirstStep(props: FirstStepProps) {
  const signIn = useSignIn();
  const sso = useSso();
  const state = useHistoryState<{ ended?: boolean } | null>();
  const [byPassword, setByPassword] = useState(props.username !== '');
  const showsForm = sso !== undefined && (!sso.only || byPassword);
  return (
    <AuthLayout title="Sign in" intro="Welcome back to your team's leads.">
      {state?.ended && !signIn.isError && <Notice>Your session has ended. Please sign in again.</Notice>}
      {!sso && <Loading />}
      {sso?.name && <SsoSignIn name={sso.name} to={redirectTarget(state)} only={sso.only} shared={showsForm} />}
      {showsForm && <PasswordStep {...props} signIn={signIn} />}
      {sso && !showsForm && (
        <Button variant="ghost" onClick={() => setByPassword(true)}>
          Use a password
        </Button>
      )}
      <p className="border-t border-line pt-5 text-sm text-muted">
        {sso?.only
          ? `This is private software. Everyone signs in with ${sso.name}; a password works for the emergency administrator only.`
          : 'This is private software. Accounts are issued by a manager or administrator; ask yours if you need one.'}
      </p>
    </AuthLayout>
  );
}

function PasswordStep({ username, onCodeRequired, signIn }: FirstStepProps & { signIn: ReturnType<typeof useSignIn> }) {
  const form = useForm(signInForm, {
    defaults: { username, password: '' },
    onSubmit: async (credentials) => {
      try {
        await signIn.mutateAsync(credentials);
      } catch (error) {
        if (!isCodeRequired(error)) throw error;
        onCodeRequired(credentials);
      }
    },
  });
  return (
    <>
      {signIn.isError && <Notice tone="danger">{adviceFor(signIn.error)}</Notice>}
      <Form onSubmit={form.submit} aria-label="Sign in">
        <TextField
          label="Username or email"
          {...form.field('username')}
          // Browsers suggest passkeys in a field with the second word.
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <div className="flex flex-col gap-2">
          <PasswordField label="Password" {...form.field('password')} autoComplete="current-password" />
          <Link href="/forgot-password" className={`hit-area self-end py-1 text-sm ${linkClass}`}>
            Forgot password?
          </Link>
        </div>
        <Button type="submit" busy={form.busy}>
          Sign in
        </Button>
      </Form>
      {canUsePasskeys() && <PasskeySignIn />}
    </>
  );
}

interface CodeStepProps {
  credentials: Credentials;
  onStartAgain: () => void;
}

/** For accounts with one-time codes, once the password was right. */
function CodeStep({ credentials, onStartAgain }: CodeStepProps) {
  const signIn = useSignIn();
  const form = useForm(codeForm, {
    defaults: { code: '' },
    onSubmit: ({ code }) => signIn.mutateAsync({ ...credentials, code }),
  });
  const wrong = signIn.error instanceof ApiError && signIn.error.code === 'invalid_code';
  return (
    <AuthLayout title="Enter your code" intro="Open your authenticator app and enter the code that it shows.">
      {signIn.isError && !wrong && <Notice tone="danger">{adviceFor(signIn.error)}</Notice>}
      <Form onSubmit={form.submit} aria-label="One-time code">
        <TextField
          label="Code"
          hint="Without your phone, enter one of your recovery codes."
          {...form.field('code')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={50}
          autoFocus
        />
        <Button type="submit" busy={form.busy}>
          Sign in
        </Button>
        <Button variant="secondary" onClick={onStartAgain}>
          Start again
        </Button>
      </Form>
      <p className="border-t border-line pt-5 text-sm text-muted">
        If you have neither your phone nor a recovery code, ask an administrator to turn off the codes of your account.
      </p>
    </AuthLayout>
  );
}

/** The toast shows the server's message; this notice stays and says what to do. */
function adviceFor(error: Error): string {
  if (!(error instanceof ApiError)) return 'No answer came from the server. Check your connection, then try again.';
  switch (error.code) {
    case 'invalid_credentials':
      return 'That did not match an account. Check what you typed, or use the link below to choose a new password.';
    case 'passkey_required':
      return canUsePasskeys()
        ? 'Your password was right, but your team asks for more. Use your passkey, with the button below.'
        : 'Your password was right, but your team asks for your passkey as well, which this page cannot use.';
    case 'account_inactive':
      return 'Signing in with this account has been switched off. Please ask your administrator.';
    case 'too_many_attempts':
    case 'rate_limited':
      return `Signing in is paused after several tries. ${formatRetry(error.retryAfter)}`;
    default:
      return 'You are not signed in yet. Please try again in a moment.';
  }
}

function formatRetry(seconds: number | undefined) {
  if (!seconds) return 'Please try again later.';
  const minutes = Math.ceil(seconds / 60);
  return `Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
