import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

export function LeadListScreen() {
  return (
    <Page title="CRM Dashboard">
      <EmptyState title="Not part of this version yet">
        Here you will find the businesses assigned to you, and work them one by one.
      </EmptyState>
    </Page>
  );
}
