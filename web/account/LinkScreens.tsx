import type { UseMutationResult } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { AuthLayout } from '#web/auth/AuthLayout.tsx';
import { ApiError } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { useConfirmEmail, useReportSignIn, useStopWeeklyEmail } from './account.data.ts';

interface Props {
  token: string | undefined;
}

/** Behind the link in the mail to a new address. A press confirms it, because mail scanners open links. */
export function ConfirmEmailScreen({ token }: Props) {
  return (
    <LinkScreen
      title="Confirm your e-mail"
      intro="This becomes the e-mail address of your account."
      action={{ label: 'Confirm this address', tone: 'primary' }}
      token={token}
      use={useConfirmEmail()}
      next={{ label: 'Go to Highstreet', href: '/' }}
    />
  );
}

/** Behind the link in the mail about a sign-in with a new browser. */
export function ReportSignInScreen({ token }: Props) {
  return (
    <LinkScreen
      title="Was this not you?"
      intro="Then all sessions of your account end, its password stops working, and we send you a link to choose a new one."
      action={{ label: 'This was not me', tone: 'danger' }}
      token={token}
      use={useReportSignIn()}
      next={{ label: 'Go to Login', href: '/auth' }}
    />
  );
}

/** Behind the link in the Monday e-mail. */
export function StopWeeklyEmailScreen({ token }: Props) {
  return (
    <LinkScreen
      title="Stop the Monday e-mail"
      intro="The figures of last week no longer come by e-mail. Other e-mails stay as they are."
      action={{ label: 'Stop these e-mails', tone: 'primary' }}
      token={token}
      use={useStopWeeklyEmail()}
      next={{ label: 'Go to Highstreet', href: '/' }}
    />
  );
}

interface LinkProps extends Props {
  title: string;
  intro: string;
  action: { label: string; tone: 'primary' | 'danger' };
  use: UseMutationResult<{ message: string }, Error, string>;
  next: { label: string; href: string };
}

function LinkScreen({ title, intro, action, token, use, next }: LinkProps) {
  const [, navigate] = useLocation();
  if (use.isSuccess) {
    return (
      <AuthLayout title={title}>
        <Notice tone="good">{use.data.message}</Notice>
        <Button onClick={() => navigate(next.href)}>{next.label}</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={title} intro={intro}>
      {!token && <Notice tone="danger">This link is not complete. Open it again from the e-mail.</Notice>}
      {use.isError && <Notice tone="danger">{describe(use.error)}</Notice>}
      {token && (
        <Button variant={action.tone} busy={use.isPending} onClick={() => use.mutate(token)}>
          {action.label}
        </Button>
      )}
    </AuthLayout>
  );
}

const describe = (error: Error) =>
  error instanceof ApiError ? error.reason : 'Highstreet could not be reached. Please try again.';
