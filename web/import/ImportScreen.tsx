import { Copy } from 'lucide-react';
import { FormatPanel } from '#web/import/upload/FormatPanel.tsx';
import { useImport } from '#web/import/upload/import.data.ts';
import { UploadCard } from '#web/import/upload/UploadCard.tsx';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { CurrentImports } from './CurrentImports.tsx';
import { useImports } from './import-jobs.data.ts';
import { RecentImports } from './RecentImports.tsx';

export function ImportScreen() {
  const { latest } = useImport();
  const busy = latest?.status === 'pending';
  const imports = useImports({ polled: busy });
  const items = imports.data?.items ?? [];
  return (
    <Page
      title="Import Businesses"
      back={{ href: '/crm', label: 'Back to CRM Dashboard' }}
      actions={
        <ButtonLink variant="secondary" href="/duplicates">
          <Copy aria-hidden="true" />
          Duplicates
        </ButtonLink>
      }
    >
      {/* The card below shows the import that was started on this page. */}
      {!busy && <CurrentImports imports={items} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <UploadCard imports={items} />
          <RecentImports imports={imports} />
        </div>
        <FormatPanel />
      </div>
    </Page>
  );
}
