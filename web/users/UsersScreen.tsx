import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

export function UsersScreen() {
  return (
    <Page title="User Management" back={{ href: '/', label: 'Back to Dashboard' }}>
      <EmptyState title="User management is not part of this version yet">
        Accounts can be managed here as soon as it is.
      </EmptyState>
    </Page>
  );
}
