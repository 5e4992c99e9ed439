import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

export function TeamProgressScreen() {
  return (
    <Page title="Team Progress">
      <EmptyState title="Not part of this version yet">
        Here you will see how far each member of the team is with their contact goal.
      </EmptyState>
    </Page>
  );
}
