import { useEffect } from 'react';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ReminderSettings } from '#web/reminders/ReminderSettings.tsx';
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
          <PasswordCard username={account.data.user.username} />
          <SecurityCard />
          <AppearanceCard />
          <ReminderSettings />
          <SessionsCard />
          <PersonalDataCard />
          <ScrollToSection />
        </div>
      )}
    </Page>
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
