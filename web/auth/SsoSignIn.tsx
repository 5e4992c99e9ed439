import { LogIn } from 'lucide-react';
import { useSearch } from 'wouter';
import { type SsoFailure, ssoFailure, startSso } from '#contract/auth/sso.calls.ts';
import { buildPath } from '#contract/call.ts';
import { ServerButtonLink } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';

interface Props {
  /** Of the identity provider. */
  name: string;
  /** The path to open afterwards. */
  to: string;
  only: boolean;
  /** Whether the form of the password is shown as well, whose button is the primary one. */
  shared: boolean;
}

/** The way to the identity provider, and what went wrong there the last time. */
export function SsoSignIn({ name, to, only, shared }: Props) {
  const failure = ssoFailure.safeParse(new URLSearchParams(useSearch()).get('sso'));
  return (
    <>
      {failure.success && <Notice tone="danger">{describeFailure(failure.data, { name, only })}</Notice>}
      <ServerButtonLink
        href={buildPath(startSso, { query: to === '/' ? {} : { to } })}
        variant={shared ? 'secondary' : 'primary'}
      >
        <LogIn aria-hidden="true" />
        <span className="truncate">Continue with {name}</span>
      </ServerButtonLink>
      {shared && <Or />}
    </>
  );
}

const Or = () => (
  <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
    or
  </p>
);

function describeFailure(failure: SsoFailure, { name, only }: Pick<Props, 'name' | 'only'>): string {
  switch (failure) {
    case 'unavailable':
      return `${name} cannot be reached right now. Try again in a few minutes${only ? '.' : ', or use your password.'}`;
    case 'refused':
      return `${name} did not let you in. Try again, or ask your administrator whether you may use Highstreet.`;
    case 'expired':
      return 'That took too long, or was begun in another window. Please try again.';
    case 'unverified':
      return `The response of ${name} could not be verified, so you are not signed in. Please try again, or tell your administrator.`;
    case 'no_account':
      return `There is no account here for you yet. Ask your administrator to invite the address that ${name} has verified.`;
    case 'account_inactive':
      return 'Signing in with this account has been switched off. Please ask your administrator.';
    case 'failed':
      return 'You are not signed in yet. Please try again in a moment.';
  }
}
