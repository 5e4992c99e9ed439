import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

export function SearchScreen() {
  return (
    <Page title="Search for Businesses">
      <EmptyState title="Not part of this version yet">
        Here you will look for businesses by type and place, export them, and assign them to your team.
      </EmptyState>
    </Page>
  );
}
