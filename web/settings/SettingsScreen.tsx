import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { TeamPrograms } from '#web/tokens/TeamPrograms.tsx';
import { WebhooksCard } from '#web/webhooks/WebhooksCard.tsx';
import { ContactSettings } from './ContactSettings.tsx';
import { FieldSettings } from './fields/FieldSettings.tsx';
import { LeadSettings } from './LeadSettings.tsx';
import { OutcomeSettings } from './OutcomeSettings.tsx';
import { SecuritySettings } from './SecuritySettings.tsx';
import { useTeamSettingsQuery } from './settings.data.ts';

/** What administrators decide for the team. */
export function SettingsScreen() {
  const { data, isPending, isError, error, refetch } = useTeamSettingsQuery();
  return (
    <Page title="Settings">
      {isPending && <Loading label="Loading the settings…" />}
      {isError && !data && (
        <ErrorState title="The settings could not be loaded" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data && (
        <div className="flex flex-col gap-4">
          <p className="text-sm text-muted">They are the same for everyone, and change on open pages at once.</p>
          <OutcomeSettings saved={data.settings.outcomes} change={data.changes.outcomes} />
          <LeadSettings saved={data.settings.addingLeads} change={data.changes.addingLeads} />
          <ContactSettings saved={data.settings.contactRules} change={data.changes.contactRules} />
          <FieldSettings />
          <SecuritySettings saved={data.settings.security} change={data.changes.security} />
          <TeamPrograms />
          <WebhooksCard />
        </div>
      )}
    </Page>
  );
}
