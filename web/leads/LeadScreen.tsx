import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';

/** A lead is named by its number or by its uuid. */
export type LeadName = { id: number } | { uuid: string };

export function LeadScreen(_: { lead: LeadName }) {
  return (
    <Page title="Business Profile" back={{ href: '/crm', label: 'Back to CRM' }}>
      <EmptyState title="Not part of this version yet">
        Here you will see one business with its status, notes, activities and history.
      </EmptyState>
    </Page>
  );
}
