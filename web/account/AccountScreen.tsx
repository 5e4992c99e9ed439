import { useEffect } from 'react';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import { useSso } from '#web/auth/sso.data.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ReminderSettings } from '#web/reminders/ReminderSettings.tsx';
import { ProgramsCard } from '#web/tokens/ProgramsCard.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { useAccount } from './account.data.ts';
import { PasswordCard } from './PasswordCard.tsx';
import { PersonalDataCard } from './PersonalDataCard.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';
import { SecurityCard } from './security/SecurityCard.tsx';

/** What users look after themselves. */
export function AccountScreen() {
  const account = useAccount();
  return (
    <Page title="Your account">
      {account.isPending && <Loading label="Loading your account…" />}
      {account.isError && !account.data && (
        <ErrorState title="Your account could not be loaded" onRetry={() => void account.refetch()}>
          {account.error.message}
        </ErrorState>
      )}
      {account.data && (
        <div className="flex max-w-3xl flex-col gap-4">
          <ProfileCard account={account.data} />
          <WaysToSignIn username={account.data.user.username} />
          <AppearanceCard />
          <ReminderSettings />
          <SessionsCard />
          <ProgramsCard />
          <PersonalDataCard />
          <ScrollToSection />
        </div>
      )}
    </Page>
  );
}

/** Where only single sign-on works for the user, there is nothing to look after here. */
function WaysToSignIn({ username }: { username: string }) {
  const sso = useSso();
  const hasPassword = useHasPassword();
  if (sso?.only && !hasPassword) {
    return (
      <Card id="security">
        <CardTitle>Signing in</CardTitle>
        <p className="text-sm text-muted">
          You sign in with {sso.name}. Your password and a second factor are looked after there.
        </p>
      </Card>
    );
  }
  return (
    <>
      <PasswordCard username={username} />
      <SecurityCard />
    </>
  );
}

/** A link to a section, such as /account#reminders, is opened before the section is there. */
function ScrollToSection() {
  useEffect(() => {
    const section = window.location.hash && document.getElementById(window.location.hash.slice(1));
    if (section) section.scrollIntoView?.();
  }, []);
  return null;
}
