import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

export function ImportScreen() {
  return (
    <Page title="Import Businesses" back={{ href: '/crm', label: 'Back to CRM Dashboard' }}>
      <EmptyState title="Not part of this version yet">
        Here you will bring in businesses from a CSV file.
      </EmptyState>
    </Page>
  );
}
